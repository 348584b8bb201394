CREATE VIRTUAL TABLE doc USING fts5(title, body);
INSERT INTO doc VALUES ('one', 'the quick brown fox'), ('two', 'a lazy dog sleeps under the brown tree'), ('three', 'foxes and dogs are quick animals'), ('four', 'nothing to see');
SELECT title FROM doc WHERE doc MATCH 'quick' ORDER BY title; SELECT title, snippet(doc, 1, '[', ']', '..', 4) FROM doc WHERE doc MATCH 'brown NOT fox'; SELECT title FROM doc WHERE doc MATCH 'dog* AND (quick OR lazy)' ORDER BY rank;
SELECT replace('banana', 'an', 'AN'), trim('  x '), ltrim('xxy', 'x'), instr('hello', 'l'), upper('abc'), printf('%05d|%-6s|%8.3f|%x', 42, 'ab', 3.14159, 255), char(72, 105), unicode('A'), hex('abc');
SELECT 'abc' LIKE 'A_C', 'abc' GLOB 'a*', 'abc' GLOB 'A*', 'a%c' LIKE 'a\%c' ESCAPE '\', 'x' || 1 || NULL IS NULL;
SELECT json_extract('{"a":[1,{"b":"deep"}],"c":null}', '$.a[1].b'), json_array(1, 'two', NULL), json_object('k', 2.5), json_type('[1]'), json('{"x" : [ 1 , 2 ]}');
SELECT key, value, type FROM json_each('{"a":1,"b":[2],"c":"d"}'); SELECT json_group_array(value) FROM json_tree('[1,[2,[3]]]') WHERE type = 'integer'; SELECT json_set('{"a":1}', '$.b', json('[2]')), json_remove('[0,1,2]', '$[1]'), json_patch('{"a":1}', '{"a":null,"b":2}');
SELECT date('2024-02-29', '+1 year'), strftime('%Y-%j %W', '2023-12-31'), julianday('2000-01-01'), datetime(0, 'unixepoch'), time('12:34:56', '-35 minutes'), date('2024-01-31', 'start of month', '+1 month', '-1 day', 'weekday 0');
SELECT abs(-5), round(2.567, 1), max(1, 2, 3), min('b', 'a'), nullif(1, 1), ifnull(NULL, 'd'), iif(1 > 2, 'y', 'n'), 9223372036854775807 + 1, 1e300 * 1e300, sqrt(2), 10 % 0, 5 / 0;
