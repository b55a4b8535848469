create table product (
  sku varchar(20) primary key,
  name varchar(80) not null,
  category varchar(20) not null,
  weight_grams int not null,
  width_mm int not null,
  height_mm int not null,
  depth_mm int not null,
  price_cents bigint not null,
  currency char(3) not null,
  tax_class varchar(10) not null,
  active boolean not null
);

create table customer (
  id bigint primary key,
  name varchar(60) not null,
  email varchar(80) not null,
  country char(2) not null,
  points int not null,
  since date not null
);

create table stock (
  sku varchar(20) primary key,
  on_hand int not null,
  bin varchar(10) not null
);

create table coupon (
  code varchar(20) primary key,
  percent int not null,
  min_cents bigint not null,
  valid_from date not null,
  valid_to date not null
);

create table tax_rate (
  tax_class varchar(10) primary key,
  rate decimal(5, 3) not null
);

create table orders (
  number varchar(40) primary key,
  customer_id bigint not null,
  status varchar(12) not null,
  total_cents bigint not null,
  currency char(3) not null,
  created_at timestamp(3) with time zone not null,
  country char(2),
  tracking varchar(20),
  risk int not null
);

create table order_line (
  order_number varchar(40) not null,
  position int not null,
  sku varchar(20) not null,
  quantity int not null,
  total_cents bigint not null,
  primary key (order_number, position)
);

create sequence invoice_number start with 1000;

create table invoice (
  number bigint primary key,
  order_number varchar(40) not null,
  cents bigint not null,
  currency char(3) not null,
  issued date not null,
  due date not null
);
