-- table.sort with comparison functions, insertion, heap sort of our own.
local n = tonumber((...)) or 3000
local seed = 42
local function random(m) seed = (seed * 1103515245 + 12345) % 2147483648 return seed // 65536 % m end
local t = {}
for i = 1, n do t[i] = random(100000) end
local copy = table.move(t, 1, n, 1, {})
table.sort(t)
table.sort(copy, function(a, b) return a > b end)
for i = 1, n do assert(t[i] == copy[n + 1 - i]) end
local function heapsort(a)
  local function down(i, last)
    while 2 * i <= last do
      local child = 2 * i
      if child < last and a[child] < a[child + 1] then child = child + 1 end
      if a[i] >= a[child] then return end
      a[i], a[child] = a[child], a[i]
      i = child
    end
  end
  for i = #a // 2, 1, -1 do down(i, #a) end
  for last = #a, 2, -1 do a[1], a[last] = a[last], a[1] down(1, last - 1) end
end
heapsort(copy)
for i = 1, n do assert(t[i] == copy[i]) end
local words = {}
for w in ("the quick brown fox jumps over the lazy dog again"):gmatch("%a+") do words[#words + 1] = w end
table.sort(words, function(a, b) if #a ~= #b then return #a < #b end return a < b end)
print(t[1], t[n // 2], t[n], table.concat(words, " "))
print(pcall(table.sort, { 3, 1, "x", 2 }))
