-- Primes, and the game of life.
local n = tonumber((...)) or 20000
local composite, primes = {}, {}
for i = 2, n do if not composite[i] then primes[#primes + 1] = i for j = i * i, n, i do composite[j] = true end end end
print(#primes, primes[#primes])
local size, cells = 24, {}
for _, p in ipairs { { 2, 1 }, { 3, 2 }, { 1, 3 }, { 2, 3 }, { 3, 3 }, { 12, 12 }, { 13, 12 }, { 14, 12 } } do cells[p[2] * size + p[1]] = true end
for _ = 1, 20 do
  local around, new = {}, {}
  for k in pairs(cells) do for dy = -1, 1 do for dx = -1, 1 do if dx ~= 0 or dy ~= 0 then local m = (k // size + dy) % size * size + (k + dx) % size around[m] = (around[m] or 0) + 1 end end end end
  for k, c in pairs(around) do if c == 3 or c == 2 and cells[k] then new[k] = true end end
  cells = new
end
local alive = {} for k in pairs(cells) do alive[#alive + 1] = k end table.sort(alive)
print(table.concat(alive, " "))
