// Hash tables of libstdc++ (std::unordered_map): how they grow, as code of the program, with the numbers of buckets that the
// compiled part would choose (up to a hundred million; odd numbers above). Included inside namespace std::__detail.

inline std::size_t __whydunit_buckets(std::size_t wanted) {
  static const unsigned char few[] = {1, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13};
  static const unsigned many[] = {
      17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127, 137, 139, 149,
      157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619,
      661, 709, 761, 823, 887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549,
      2753, 2971, 3209, 3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273,
      11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267, 28411, 30727, 33223, 35933,
      38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203, 99733, 107897, 116731,
      126271, 136607, 147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261, 299951, 324503, 351061,
      379787, 410857, 444487, 480881, 520241, 562841, 608903, 658753, 712697, 771049, 834181, 902483, 976369, 1056323,
      1142821, 1236397, 1337629, 1447153, 1565659, 1693859, 1832561, 1982627, 2144977, 2320627, 2510653, 2716249,
      2938679, 3179303, 3439651, 3721303, 4026031, 4355707, 4712381, 5098259, 5515729, 5967347, 6456007, 6984629,
      7556579, 8175383, 8844859, 9569143, 10352717, 11200489, 12117689, 13109983, 14183539, 15345007, 16601593,
      17961079, 19431899, 21023161, 22744717, 24607243, 26622317, 28802401, 31160981, 33712729, 36473443, 39460231,
      42691603, 46187573, 49969847, 54061849, 58488943, 63278561, 68460391, 74066549, 80131819, 86693767, 93793069,
      101473717};
  const std::size_t count = sizeof many / sizeof *many;
  if (wanted < sizeof few) return few[wanted];
  std::size_t low = 0, high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (many[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count ? many[low] : wanted | 1;
}

inline std::size_t _Prime_rehash_policy::_M_next_bkt(std::size_t wanted) const {
  const std::size_t buckets = __whydunit_buckets(wanted);
  if (wanted) _M_next_resize = std::size_t(__builtin_floor(buckets * double(_M_max_load_factor)));
  return buckets;
}

inline std::pair<bool, std::size_t> _Prime_rehash_policy::_M_need_rehash(std::size_t buckets, std::size_t elements,
                                                                        std::size_t more) const {
  const std::size_t all = elements + more, first = _M_next_resize ? 0 : 11;
  if (all <= _M_next_resize) return std::make_pair(false, std::size_t(0));
  const double least = (all < first ? first : all) / double(_M_max_load_factor);
  if (least < buckets) {
    _M_next_resize = std::size_t(__builtin_floor(buckets * double(_M_max_load_factor)));
    return std::make_pair(false, std::size_t(0));
  }
  const std::size_t wanted = std::size_t(__builtin_floor(least)) + 1, grown = buckets * _S_growth_factor;
  return std::make_pair(true, _M_next_bkt(wanted < grown ? grown : wanted));
}
