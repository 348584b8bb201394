-- Arrays and hashes: growth, removal, next, length, nested tables.
local n = tonumber((...)) or 2000
local t = {}
for i = 1, n do t[i] = i * i % 97 end
for i = n, 1, -2 do table.remove(t, i) end
for i = 1, 100 do table.insert(t, 1, -i) end
local sum = 0
for i, v in ipairs(t) do sum = sum + i * v end
print(#t, sum)
local h, keys = {}, {}
for i = 1, n do h["k" .. i % 313] = (h["k" .. i % 313] or 0) + i h[i * 0.5] = i end
for k in pairs(h) do if type(k) == "string" then keys[#keys + 1] = k end end
table.sort(keys)
print(#keys, h[keys[1]], h[keys[#keys]], h[0.5], h[1])
for k in pairs(h) do h[k] = nil end
print(next(h))
local grid = {}
for y = 1, 40 do grid[y] = {} for x = 1, 40 do grid[y][x] = (x ~ y) & 7 end end
local total = 0
for y = 1, 40 do for x = 1, 40 do total = total + grid[x][y] * y end end
print(total, #table.pack(table.unpack(grid[3])), table.concat(grid[5], "", 1, 10))
