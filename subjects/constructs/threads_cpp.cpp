// Threads of C++: std::thread, async and futures, condition variables, atomics, call_once, thread_local with destructors, exceptions
// that cross by exception_ptr.
//: flags -pthread
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> ended{0};

struct Local {
    std::string name = "none";
    ~Local() { ended += (int)name.size(); }
};
static thread_local Local local;

template <class T> class Channel {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<T> items;
    bool closed = false;

public:
    void put(T item)
    {
        std::lock_guard<std::mutex> lock(mutex);
        items.push_back(std::move(item));
        changed.notify_one();
    }
    void close()
    {
        std::lock_guard<std::mutex> lock(mutex);
        closed = true;
        changed.notify_all();
    }
    bool take(T &to)
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return closed || !items.empty(); });
        if (items.empty())
            return false;
        to = std::move(items.front());
        items.pop_front();
        return true;
    }
};

static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main()
{
    Channel<std::string> channel;
    std::atomic<long> length{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&, i] {
            local.name = "thread " + std::to_string(i);
            std::string text;
            while (channel.take(text))
                length += (long)text.size();
        });
    for (int i = 0; i < 300; i++)
        channel.put(std::string(i % 40, 'x') + "a text that is too long for its own place");
    channel.close();
    for (auto &thread : threads)
        thread.join();
    std::printf("%ld %d\n", length.load(), ended.load());

    auto first = std::async(std::launch::async, fib, 15);
    auto second = std::async(std::launch::async, [] { return fib(12); });
    std::printf("%ld %ld\n", first.get(), second.get());

    auto fails = std::async(std::launch::async, []() -> int { throw std::runtime_error("in a thread"); });
    try {
        fails.get();
    } catch (const std::exception &error) {
        std::printf("%s\n", error.what());
    }

    std::once_flag once;
    std::shared_mutex shared;
    std::atomic<bool> go{false};
    int made = 0, reads = 0;
    threads.clear();
    for (int i = 0; i < 8; i++)
        threads.emplace_back([&] {
            while (!go.load(std::memory_order_acquire))
                ;
            std::call_once(once, [&] { made++; });
            for (int k = 0; k < 50; k++) {
                if (k % 10) {
                    std::shared_lock<std::shared_mutex> lock(shared);
                    (void)reads;
                } else {
                    std::unique_lock<std::shared_mutex> lock(shared);
                    reads++;
                }
            }
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        });
    go = true;
    for (auto &thread : threads)
        thread.join();
    std::printf("%d %d\n", made, reads);

    std::promise<int> promise;
    std::thread giver([&] { promise.set_value(42); });
    std::printf("%d\n", promise.get_future().get());
    giver.join();
    return 0;
}
