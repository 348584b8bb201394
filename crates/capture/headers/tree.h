// Red-black trees of libstdc++ (std::map, std::set): what its compiled part does, as code of the program. The algorithms are the
// textbook's (Cormen et al., "Introduction to Algorithms", chapter 13). Included inside namespace std.

inline _Rb_tree_node_base *&__whydunit_child(_Rb_tree_node_base *node, bool left) {
  return left ? node->_M_left : node->_M_right;
}

inline bool __whydunit_red(const _Rb_tree_node_base *node) { return node && node->_M_color == _S_red; }

inline _Rb_tree_node_base *__whydunit_outermost(_Rb_tree_node_base *node, bool left) {
  while (__whydunit_child(node, left)) node = __whydunit_child(node, left);
  return node;
}

inline _Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *node) throw() {
  if (node->_M_right) return __whydunit_outermost(node->_M_right, true);
  _Rb_tree_node_base *above = node->_M_parent;
  while (above->_M_right == node) {
    node = above;
    above = above->_M_parent;
  }
  // From the last node, where the root has no right child, the climb ends in the header itself.
  return node->_M_right == above ? node : above;
}

inline const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *node) throw() {
  return _Rb_tree_increment(const_cast<_Rb_tree_node_base *>(node));
}

inline _Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *node) throw() {
  _Rb_tree_node_base *above = node->_M_parent;
  // The header: behind the last node.
  if (node->_M_color == _S_red && above && above->_M_parent == node) return node->_M_right;
  if (node->_M_left) return __whydunit_outermost(node->_M_left, false);
  while (above->_M_left == node) {
    node = above;
    above = above->_M_parent;
  }
  return above;
}

inline const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *node) throw() {
  return _Rb_tree_decrement(const_cast<_Rb_tree_node_base *>(node));
}

// `now` stands where `before` stood below its parent.
inline void __whydunit_replace(_Rb_tree_node_base *before, _Rb_tree_node_base *now, _Rb_tree_node_base &header) {
  _Rb_tree_node_base *parent = before->_M_parent;
  if (header._M_parent == before)
    header._M_parent = now;
  else
    __whydunit_child(parent, parent->_M_left == before) = now;
}

// A node goes down on one side, its child on the other one comes up.
inline void __whydunit_rotate(_Rb_tree_node_base *node, bool left, _Rb_tree_node_base &header) {
  _Rb_tree_node_base *up = __whydunit_child(node, !left);
  _Rb_tree_node_base *middle = __whydunit_child(up, left);
  __whydunit_child(node, !left) = middle;
  if (middle) middle->_M_parent = node;
  __whydunit_replace(node, up, header);
  up->_M_parent = node->_M_parent;
  __whydunit_child(up, left) = node;
  node->_M_parent = up;
}

inline void _Rb_tree_insert_and_rebalance(const bool left, _Rb_tree_node_base *node, _Rb_tree_node_base *parent,
                                          _Rb_tree_node_base &header) throw() {
  node->_M_parent = parent;
  node->_M_left = 0;
  node->_M_right = 0;
  node->_M_color = _S_red;
  if (parent == &header) {
    header._M_parent = node;
    header._M_left = node;
    header._M_right = node;
  } else {
    if (__whydunit_child(&header, left) == parent) __whydunit_child(&header, left) = node;
    __whydunit_child(parent, left) = node;
  }
  while (node != header._M_parent && __whydunit_red(node->_M_parent)) {
    _Rb_tree_node_base *top = node->_M_parent, *above = top->_M_parent;
    bool side = above->_M_left == top;
    _Rb_tree_node_base *uncle = __whydunit_child(above, !side);
    above->_M_color = _S_red;
    if (__whydunit_red(uncle)) {
      top->_M_color = _S_black;
      uncle->_M_color = _S_black;
      node = above;
      continue;
    }
    if (__whydunit_child(top, !side) == node) {
      _Rb_tree_node_base *below = node;
      __whydunit_rotate(top, side, header);
      node = top;
      top = below;
    }
    top->_M_color = _S_black;
    __whydunit_rotate(above, !side, header);
  }
  header._M_parent->_M_color = _S_black;
}

// Ways through `node`, which may be none, below `parent` have one black node too few.
inline void __whydunit_blacken(_Rb_tree_node_base *node, _Rb_tree_node_base *parent, _Rb_tree_node_base &header) {
  while (node != header._M_parent && !__whydunit_red(node)) {
    bool side = parent->_M_left == node;
    _Rb_tree_node_base *sibling = __whydunit_child(parent, !side);
    if (__whydunit_red(sibling)) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      __whydunit_rotate(parent, side, header);
      sibling = __whydunit_child(parent, !side);
    }
    if (!__whydunit_red(sibling->_M_left) && !__whydunit_red(sibling->_M_right)) {
      sibling->_M_color = _S_red;
      node = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (!__whydunit_red(__whydunit_child(sibling, !side))) {
      _Rb_tree_node_base *near = __whydunit_child(sibling, side);
      near->_M_color = _S_black;
      sibling->_M_color = _S_red;
      __whydunit_rotate(sibling, !side, header);
      sibling = near;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    __whydunit_child(sibling, !side)->_M_color = _S_black;
    __whydunit_rotate(parent, side, header);
    break;
  }
  if (node) node->_M_color = _S_black;
}

inline _Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const node, _Rb_tree_node_base &header) throw() {
  _Rb_tree_node_base *left = node->_M_left, *right = node->_M_right;
  // What comes up where a node goes, and below what.
  _Rb_tree_node_base *child, *below;
  bool black;
  if (left && right) {
    // The next node takes its place.
    _Rb_tree_node_base *next = __whydunit_outermost(right, true);
    child = next->_M_right;
    black = next->_M_color == _S_black;
    left->_M_parent = next;
    next->_M_left = left;
    below = next;
    if (next != right) {
      below = next->_M_parent;
      below->_M_left = child;
      if (child) child->_M_parent = below;
      next->_M_right = right;
      right->_M_parent = next;
    }
    __whydunit_replace(node, next, header);
    next->_M_parent = node->_M_parent;
    next->_M_color = node->_M_color;
  } else {
    child = left ? left : right;
    below = node->_M_parent;
    black = node->_M_color == _S_black;
    if (child) child->_M_parent = below;
    __whydunit_replace(node, child, header);
    if (header._M_left == node) header._M_left = child ? __whydunit_outermost(child, true) : below;
    if (header._M_right == node) header._M_right = child ? __whydunit_outermost(child, false) : below;
  }
  if (black) __whydunit_blacken(child, below, header);
  return node;
}
