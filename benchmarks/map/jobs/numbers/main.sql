SELECT
  price * (1.0::DOUBLE - discount) * quantity AS total,
  (price * (1.0::DOUBLE - discount) - cost) * quantity AS margin,
  CASE WHEN quantity > 10 THEN quantity::BIGINT * 2 ELSE quantity::BIGINT END AS units
FROM input
