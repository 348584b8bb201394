-- Floating point: the Mandelbrot set as characters.
local n = tonumber((...)) or 40
for y = 0, n // 2 do
  local row = {}
  for x = 0, n do
    local cr, ci, zr, zi, i = 3 * x / n - 2, 2.4 * y / (n / 2) - 1.2, 0.0, 0.0, 0
    while i < 60 and zr * zr + zi * zi < 4 do zr, zi, i = zr * zr - zi * zi + cr, 2 * zr * zi + ci, i + 1 end
    row[#row + 1] = (" .:-=+*#%@"):sub(i % 10 + 1, i % 10 + 1)
  end
  if y % 4 == 0 then print(table.concat(row)) end
end
