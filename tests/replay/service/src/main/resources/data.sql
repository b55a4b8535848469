insert into tax_rate values ('full', 0.190), ('reduced', 0.070), ('none', 0.000);

insert into product
select 'P' || (1000 + x),
       case mod(x, 8) when 0 then 'Blue' when 1 then 'Red' when 2 then 'Small' when 3 then 'Große' when 4 then 'Old' when 5 then 'New' when 6 then 'Round' else 'Wooden' end || ' ' ||
       case mod(x, 5) when 0 then 'Kettle' when 1 then 'Novel' when 2 then 'Rake' when 3 then 'Train' else 'Lamp' end || ' ' || x,
       case mod(x, 5) when 0 then 'kitchen' when 1 then 'books' when 2 then 'garden' when 3 then 'toys' else 'light' end,
       150 + mod(x * 977, 4200), 60 + mod(x * 31, 240), 40 + mod(x * 53, 180), 20 + mod(x * 71, 150),
       399 + mod(x * 1237, 9000), 'EUR',
       case mod(x, 5) when 1 then 'reduced' else 'full' end,
       mod(x, 29) <> 0
from system_range(1, 90);

insert into customer
select x, 'Customer ' || x, 'c' || x || '@example.org',
       case mod(x, 4) when 0 then 'DE' when 1 then 'FR' when 2 then 'IT' else 'SE' end,
       mod(x * 733, 9500), dateadd(day, -37 * x, date '2026-01-15')
from system_range(1, 60);

insert into stock
select sku, 5 + mod(price_cents, 400), 'B' || mod(weight_grams, 40) from product;

insert into coupon values
  ('SPRING', 10, 2000, date '2020-01-01', date '2099-12-31'),
  ('BIG', 15, 20000, date '2020-01-01', date '2099-12-31'),
  ('PAST', 50, 0, date '2019-01-01', date '2019-12-31');
