SELECT price / (quantity % 3) AS part, number
FROM (SELECT price, quantity, unnest(range(quantity % 3)) AS number FROM input)
