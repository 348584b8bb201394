PRAGMA page_size = 1024; CREATE TABLE blob_table(id INTEGER PRIMARY KEY, data BLOB);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO blob_table SELECT i, zeroblob(i * 300) FROM n;
UPDATE blob_table SET data = CAST(replace(hex(zeroblob(id * 20)), '00', 'blob' || id) AS BLOB) WHERE id % 3 = 0;
SELECT id, length(data), substr(CAST(data AS TEXT), 1, 12) FROM blob_table WHERE id % 9 = 0; SELECT sum(length(data)) FROM blob_table;
CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO w SELECT 'key' || (i * 7919 % 1000), i FROM n WHERE true ON CONFLICT DO NOTHING;
SELECT count(*), min(k), max(k), sum(v) FROM w; DELETE FROM w WHERE v % 3 = 0; SELECT count(*) FROM w; CREATE UNIQUE INDEX w_v ON w(v); REINDEX; ANALYZE; VACUUM; PRAGMA page_count; PRAGMA integrity_check;
ALTER TABLE w ADD COLUMN extra TEXT DEFAULT 'e'; ALTER TABLE w RENAME TO w2; ALTER TABLE w2 RENAME COLUMN v TO value; SELECT * FROM w2 ORDER BY k LIMIT 3; PRAGMA table_info(w2); ALTER TABLE w2 DROP COLUMN extra; SELECT sql FROM sqlite_master WHERE name = 'w2';
