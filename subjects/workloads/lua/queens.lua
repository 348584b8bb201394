-- Backtracking: n queens, and a sudoku.
local n, solutions = tonumber((...)) or 7, 0
local rows, d1, d2 = {}, {}, {}
local function place(c) if c > n then solutions = solutions + 1 return end for r = 1, n do if not (rows[r] or d1[r + c] or d2[r - c]) then rows[r], d1[r + c], d2[r - c] = true, true, true place(c + 1) rows[r], d1[r + c], d2[r - c] = nil, nil, nil end end end
place(1)
print(n, solutions)
local s = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
local g = {} for i = 1, 81 do g[i] = s:byte(i) - 48 end
local function fits(p, v) local r, c = (p - 1) // 9, (p - 1) % 9 for i = 0, 8 do if g[r * 9 + i + 1] == v or g[i * 9 + c + 1] == v or g[(r // 3 * 3 + i // 3) * 9 + c // 3 * 3 + i % 3 + 1] == v then return false end end return true end
local tries = 0
local function solve(p) while p <= 81 and g[p] ~= 0 do p = p + 1 end if p > 81 then return true end for v = 1, 9 do tries = tries + 1 if fits(p, v) then g[p] = v if solve(p + 1) then return true end end end g[p] = 0 return false end
print(solve(1), tries, table.concat(g))
