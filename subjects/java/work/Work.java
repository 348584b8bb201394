/** Work for the processor, in the manner of benchmarks: a transform over arrays, and a sorted tree of small objects. */
public class Work {
    /** Complex numbers in an array, transformed in place. */
    static class Transform {
        private final double[] data;

        Transform(int size) {
            data = new double[2 * size];
            for (int i = 0; i < data.length; i++) {
                data[i] = i % 17;
            }
        }

        void run(int direction) {
            int n = data.length / 2;
            for (int i = 0, j = 0; i < n; i++) {
                if (i < j) {
                    swap(2 * i, 2 * j);
                }
                int bit = n >> 1;
                while (bit > 0 && (j & bit) != 0) {
                    j ^= bit;
                    bit >>= 1;
                }
                j |= bit;
            }
            for (int length = 2; length <= n; length <<= 1) {
                pass(n, length, direction);
            }
        }

        private void swap(int one, int other) {
            for (int part = 0; part < 2; part++) {
                double kept = data[one + part];
                data[one + part] = data[other + part];
                data[other + part] = kept;
            }
        }

        private void pass(int n, int length, int direction) {
            double angle = direction * 2 * Math.PI / length;
            for (int start = 0; start < n; start += length) {
                for (int k = 0; k < length / 2; k++) {
                    double re = Math.cos(angle * k);
                    double im = Math.sin(angle * k);
                    int a = 2 * (start + k);
                    int b = a + length;
                    double x = data[b] * re - data[b + 1] * im;
                    double y = data[b] * im + data[b + 1] * re;
                    data[b] = data[a] - x;
                    data[b + 1] = data[a + 1] - y;
                    data[a] += x;
                    data[a + 1] += y;
                }
            }
        }
    }

    /** A node of a tree. */
    static class Node {
        private final int value;
        private Node left;
        private Node right;

        Node(int value) {
            this.value = value;
        }

        void add(int other) {
            if (other < value) {
                if (left == null) {
                    left = new Node(other);
                } else {
                    left.add(other);
                }
            } else if (right == null) {
                right = new Node(other);
            } else {
                right.add(other);
            }
        }

        long sum() {
            return value + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
        }
    }

    public static void main(String[] words) {
        if (words[0].equals("transform")) {
            Transform transform = new Transform(1 << 17);
            for (int times = 0; times < 10; times++) {
                transform.run(times % 2 == 0 ? 1 : -1);
            }
            return;
        }
        long random = 42;
        Node root = new Node(1 << 30);
        for (int times = 0; times < 100_000; times++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            root.add((int) (random >>> 33));
        }
        for (int times = 0; times < 20; times++) {
            System.out.println(root.sum());
        }
    }
}
