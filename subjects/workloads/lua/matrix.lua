-- Matrix products, an n-body step, string building: a mixed benchmark.
local n = tonumber((...)) or 30
local function matrix(f) local m = {} for i = 1, n do local r = {} for j = 1, n do r[j] = f(i, j) end m[i] = r end return m end
local function mul(a, b) local c = {} for i = 1, n do local r, ai = {}, a[i] for j = 1, n do local s = 0.0 for k = 1, n do s = s + ai[k] * b[k][j] end r[j] = s end c[i] = r end return c end
local m = mul(matrix(function(i, j) return i + j / 2 end), matrix(function(i, j) return i == j and 1 or 1 / (i + j) end))
local t = 0 for i = 1, n do t = t + m[i][i] end
print(string.format("%.9f", t))
local bodies = { { 0, 0, 0, 0, 10 }, { 1, 0, 0, 3, 1 }, { 0, 2, -2, 0, 0.5 }, { -3, -1, 1, -1, 0.1 } }
for _ = 1, n * 20 do
  for i, b in ipairs(bodies) do for j, o in ipairs(bodies) do if i ~= j then local dx, dy = o[1] - b[1], o[2] - b[2] local d = (dx * dx + dy * dy + 0.01) ^ 1.5 b[3] = b[3] + dx * o[5] / d * 0.001 b[4] = b[4] + dy * o[5] / d * 0.001 end end end
  for _, b in ipairs(bodies) do b[1] = b[1] + b[3] * 0.001 b[2] = b[2] + b[4] * 0.001 end
end
for _, b in ipairs(bodies) do io.write(string.format("%.6f %.6f ", b[1], b[2])) end print()
