CREATE TABLE sale(day INT, shop TEXT, amount REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) INSERT INTO sale SELECT i % 30, 'shop' || (i % 4), round(i * 37 % 113 / 7.0, 2) FROM n;
SELECT shop, day, amount, row_number() OVER (PARTITION BY shop ORDER BY day, amount), sum(amount) OVER (PARTITION BY shop ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM sale WHERE day < 4 ORDER BY 1, 2, 3;
SELECT shop, rank() OVER w, dense_rank() OVER w, ntile(3) OVER w, lag(amount, 1, 0) OVER w, first_value(amount) OVER w FROM sale WHERE day = 5 WINDOW w AS (ORDER BY amount DESC) ORDER BY 2;
SELECT DISTINCT shop, printf('%.2f', total(amount) OVER (PARTITION BY shop)) FROM sale ORDER BY 1;
SELECT day, avg(amount) FILTER (WHERE shop <> 'shop1'), percent_rank() OVER (ORDER BY day) FROM sale GROUP BY day ORDER BY day LIMIT 5;
SELECT group_concat(amount, ' ') OVER (ORDER BY day GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM sale WHERE shop = 'shop2' AND day < 6 LIMIT 4;
