SELECT
  price * (1.0::DOUBLE - discount) * quantity AS total,
  (price * (1.0::DOUBLE - discount) - cost) * quantity AS margin
FROM input
WHERE (price * (1.0::DOUBLE - discount) - cost) * quantity >= 18000
