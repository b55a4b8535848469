-- A replay begins without data.
select 1;
