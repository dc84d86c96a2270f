SELECT
  upper(customer) AS customer,
  CASE WHEN quantity > 10 THEN 'bulk' ELSE country END AS band,
  price * quantity AS total
FROM input
