// Convolutions as matrix products on tensor cores (TF32), by mma.sync: compute capability 8.0 and later.
//
// Boards lie cell by cell, channels innermost: a row of numbers per cell. A board has one column and
// one row of zeros behind its cells, which are also the margin of the next row and board; so a tap is a
// shift by a constant number of rows. Buffers have zeros before the first board and behind the last.

#define TILE_M 256
#define TILE_N 64
#define CHUNK 8
#define A_STRIDE 12  // 8 channels and padding: fragments touch 32 different banks
#define B_STRIDE 72
#define THREADS 256

__device__ __forceinline__ float rounded(float x) {
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
    return __uint_as_float(r);
}

__device__ __forceinline__ void mma_once(float d[4], const unsigned a[4], const unsigned b[2]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#ifdef FULL_PRECISION
// Numbers are kept whole; each is the sum of two that the tensor cores take, and three of the four products count.
__device__ __forceinline__ float tf32(float x) { return x; }

__device__ __forceinline__ void mma(float d[4], const unsigned a[4], const unsigned b[2]) {
    unsigned ah[4], al[4], bh[2], bl[2];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float x = __uint_as_float(a[i]), high = rounded(x);
        ah[i] = __float_as_uint(high);
        al[i] = __float_as_uint(rounded(x - high));
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        float x = __uint_as_float(b[i]), high = rounded(x);
        bh[i] = __float_as_uint(high);
        bl[i] = __float_as_uint(rounded(x - high));
    }
    mma_once(d, al, bh);
    mma_once(d, ah, bl);
    mma_once(d, ah, bh);
}
#else
// Numbers are rounded when they are stored.
__device__ __forceinline__ float tf32(float x) { return rounded(x); }
__device__ __forceinline__ void mma(float d[4], const unsigned a[4], const unsigned b[2]) { mma_once(d, a, b); }
#endif

__device__ __forceinline__ void copy16(float* to, const float* from) {
    unsigned address = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(address), "l"(from));
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;"); }
template <int N> __device__ __forceinline__ void wait_for() { asm volatile("cp.async.wait_group %0;" :: "n"(N)); }

struct Board {
    int height, width, cells;  // cells: with the zero row and column
};

__device__ __forceinline__ bool on_board(Board board, int row) {
    int at = row % board.cells;
    return at % (board.width + 1) < board.width && at / (board.width + 1) < board.height;
}

// out[row][co] = epilogue(sum over taps and ci of x[row + shift][ci] * w[tap][ci][co]).
// x and out point at the first cell of the first board. cin is a multiple of 8; w has cout rounded up to 64.
template <int TAPS>
__device__ void conv(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ out,
                     const float* __restrict__ bias, const float* __restrict__ skip,
                     int rows, int cin, int cout, Board board, int relu) {
    extern __shared__ float shared[];
    constexpr int ALL = TAPS * TAPS;
    const int pitch = board.width + 1;
    const int halo = TAPS == 3 ? pitch + 1 : 0;
    const int a_rows = TILE_M + 2 * halo;
    const int a_size = a_rows * A_STRIDE;
    const int stage = a_size + ALL * CHUNK * B_STRIDE;
    const int wide = (cout + TILE_N - 1) / TILE_N * TILE_N;
    const int row0 = blockIdx.x * TILE_M, col0 = blockIdx.y * TILE_N;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, member = lane % 4;

    auto load = [&](int chunk, float* to) {
        const float* from = x + ((long)row0 - halo) * cin + chunk * CHUNK;
        for (int i = threadIdx.x; i < a_rows * 2; i += THREADS)
            copy16(to + (i / 2) * A_STRIDE + (i % 2) * 4, from + (long)(i / 2) * cin + (i % 2) * 4);
        float* b = to + a_size;
        for (int i = threadIdx.x; i < ALL * CHUNK * (TILE_N / 4); i += THREADS) {
            int line = i / (TILE_N / 4), part = i % (TILE_N / 4);
            int tap = line / CHUNK, ci = chunk * CHUNK + line % CHUNK;
            copy16(b + line * B_STRIDE + part * 4, w + ((long)tap * cin + ci) * wide + col0 + part * 4);
        }
        commit();
    };

    float sums[2][8][4] = {};
    const int chunks = cin / CHUNK;
    load(0, shared);
    for (int chunk = 0; chunk < chunks; chunk++) {
        if (chunk + 1 < chunks) {
            load(chunk + 1, shared + ((chunk + 1) & 1) * stage);
            wait_for<1>();
        } else {
            wait_for<0>();
        }
        __syncthreads();
        const float* a_tile = shared + (chunk & 1) * stage;
        const float* b_tile = a_tile + a_size;
#pragma unroll
        for (int tap = 0; tap < ALL; tap++) {
            int shift = TAPS == 3 ? (tap / 3) * pitch + tap % 3 : 0;
            unsigned a[2][4], b[8][2];
#pragma unroll
            for (int m = 0; m < 2; m++) {
                const float* at = a_tile + (shift + warp * 32 + m * 16 + group) * A_STRIDE + member;
                a[m][0] = __float_as_uint(at[0]);
                a[m][1] = __float_as_uint(at[8 * A_STRIDE]);
                a[m][2] = __float_as_uint(at[4]);
                a[m][3] = __float_as_uint(at[8 * A_STRIDE + 4]);
            }
#pragma unroll
            for (int n = 0; n < 8; n++) {
                const float* at = b_tile + (tap * CHUNK + member) * B_STRIDE + n * 8 + group;
                b[n][0] = __float_as_uint(at[0]);
                b[n][1] = __float_as_uint(at[4 * B_STRIDE]);
            }
#pragma unroll
            for (int m = 0; m < 2; m++)
#pragma unroll
                for (int n = 0; n < 8; n++) mma(sums[m][n], a[m], b[n]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int row = row0 + warp * 32 + m * 16 + half * 8 + group;
            if (row >= rows) continue;
            bool inside = on_board(board, row);
#pragma unroll
            for (int n = 0; n < 8; n++) {
                int col = col0 + n * 8 + member * 2;
                if (col >= cout) continue;
                float2 sum = make_float2(sums[m][n][half * 2], sums[m][n][half * 2 + 1]);
                if (bias) {
                    sum.x += bias[col];
                    sum.y += bias[col + 1];
                }
                if (skip) {
                    float2 s = *(const float2*)(skip + (long)row * cout + col);
                    sum.x += s.x;
                    sum.y += s.y;
                }
                if (relu) sum = make_float2(tf32(fmaxf(sum.x, 0.f)), tf32(fmaxf(sum.y, 0.f)));
                if (!inside) sum = make_float2(0.f, 0.f);
                *(float2*)(out + (long)row * cout + col) = sum;
            }
        }
}

extern "C" __global__ void __launch_bounds__(THREADS) conv3(
    const float* x, const float* w, float* out, const float* bias, const float* skip,
    int rows, int cin, int cout, int height, int width, int relu) {
    conv<3>(x, w, out, bias, skip, rows, cin, cout, Board{height, width, (height + 1) * (width + 1)}, relu);
}

extern "C" __global__ void __launch_bounds__(THREADS) conv1(
    const float* x, const float* w, float* out, const float* bias, const float* skip,
    int rows, int cin, int cout, int height, int width, int relu) {
    conv<1>(x, w, out, bias, skip, rows, cin, cout, Board{height, width, (height + 1) * (width + 1)}, relu);
}

// Gradient of the weights: for one row of taps (blockIdx.y % TAPS), 64 inputs (blockIdx.y / TAPS), 64 outputs
// (blockIdx.z) and one share of the rows (blockIdx.x), the sum of x[row + shift][ci] * dy[row][co].
// part is shares x taps x taps x cin x cout.
#define DEPTH 32

template <int TAPS>
__device__ void gradient(const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ part,
                         int rows, int cin, int cout, int pitch) {
    __shared__ __align__(16) float xs[2][(DEPTH + 2) * B_STRIDE], ds[2][DEPTH * B_STRIDE];
    const int row_tap = blockIdx.y % TAPS, ci0 = blockIdx.y / TAPS * 64, co0 = blockIdx.z * 64;
    const int steps = (rows + DEPTH - 1) / DEPTH;
    const int first = (int)((long)steps * blockIdx.x / gridDim.x), last = (int)((long)steps * (blockIdx.x + 1) / gridDim.x);
    const int shift = TAPS == 3 ? (row_tap - 1) * pitch - 1 : 0;
    constexpr int X_ROWS = DEPTH + TAPS - 1;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, member = lane % 4;
    const int m0 = (warp / 2) * 16, n0 = (warp % 2) * 32;

    auto load = [&](int step, int to) {
        long row = (long)step * DEPTH;
        for (int i = threadIdx.x; i < X_ROWS * 16; i += THREADS) {
            int line = i / 16, part4 = i % 16 * 4;
            float* at = xs[to] + line * B_STRIDE + part4;
            if (ci0 + part4 < cin) copy16(at, x + (row + shift + line) * cin + ci0 + part4);
            else *(float4*)at = make_float4(0.f, 0.f, 0.f, 0.f);
        }
        for (int i = threadIdx.x; i < DEPTH * 16; i += THREADS) {
            int line = i / 16, part4 = i % 16 * 4;
            float* at = ds[to] + line * B_STRIDE + part4;
            if (co0 + part4 < cout && row + line < rows) copy16(at, dy + (row + line) * cout + co0 + part4);
            else *(float4*)at = make_float4(0.f, 0.f, 0.f, 0.f);
        }
        commit();
    };

    float sums[TAPS][4][4] = {};
    if (first < last) load(first, 0);
    for (int step = first; step < last; step++) {
        int now = (step - first) & 1;
        if (step + 1 < last) {
            load(step + 1, now ^ 1);
            wait_for<1>();
        } else {
            wait_for<0>();
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k += 8) {
            unsigned b[4][2];
#pragma unroll
            for (int n = 0; n < 4; n++) {
                const float* at = ds[now] + (k + member) * B_STRIDE + n0 + n * 8 + group;
                b[n][0] = __float_as_uint(at[0]);
                b[n][1] = __float_as_uint(at[4 * B_STRIDE]);
            }
#pragma unroll
            for (int tap = 0; tap < TAPS; tap++) {
                const float* at = xs[now] + (k + tap + member) * B_STRIDE + m0 + group;
                unsigned a[4] = {__float_as_uint(at[0]), __float_as_uint(at[8]),
                                 __float_as_uint(at[4 * B_STRIDE]), __float_as_uint(at[4 * B_STRIDE + 8])};
#pragma unroll
                for (int n = 0; n < 4; n++) mma(sums[tap][n], a, b[n]);
            }
        }
        __syncthreads();
    }
    for (int tap = 0; tap < TAPS; tap++)
        for (int n = 0; n < 4; n++)
            for (int i = 0; i < 4; i++) {
                int ci = ci0 + m0 + group + (i / 2) * 8, co = co0 + n0 + n * 8 + member * 2 + i % 2;
                if (ci < cin && co < cout)
                    part[(((long)blockIdx.x * TAPS * TAPS + row_tap * TAPS + tap) * cin + ci) * cout + co] = sums[tap][n][i];
            }
}

extern "C" __global__ void __launch_bounds__(THREADS) gradient3(
    const float* x, const float* dy, float* part, int rows, int cin, int cout, int pitch) {
    gradient<3>(x, dy, part, rows, cin, cout, pitch);
}

extern "C" __global__ void __launch_bounds__(THREADS) gradient1(
    const float* x, const float* dy, float* part, int rows, int cin, int cout, int pitch) {
    gradient<1>(x, dy, part, rows, cin, cout, pitch);
}

// Adds up the shares in their order, into the tensors of one or two parts (outputs from `split` on are the
// second's). `wide` and `deep` are cout and cin as they lie in `part`.
extern "C" __global__ void add_shares(const float* part, float* gradient, int shares, int taps, int cin, int cout,
                                      int deep, int wide, int split, int first, int second) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= taps * cin * cout) return;
    int co = i % cout, ci = i / cout % cin, tap = i / cout / cin;
    float sum = 0.f;
    for (int share = 0; share < shares; share++) sum += part[(((long)share * taps + tap) * deep + ci) * wide + co];
    int at = co < split ? first + (co * cin + ci) * taps + tap : second + ((co - split) * cin + ci) * taps + tap;
    gradient[at] = sum;
}

// Weights of one part as `conv` reads them, forwards (w) and, where asked for, backwards (turned).
// With `scale` each output is multiplied by its own (a normalisation folded in).
extern "C" __global__ void pack(const float* params, int from, int cout, int cin, int taps, int first,
                                const float* scale, float* w, int deep, int wide, float* turned, int turned_deep, int turned_wide) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cout * cin * taps) return;
    int tap = i % taps, ci = i / taps % cin, co = i / taps / cin;
    float number = params[from + i];
    if (scale) number *= scale[first + co];
    number = tf32(number);
    w[((long)tap * deep + ci) * wide + first + co] = number;
    if (turned) turned[((long)(taps - 1 - tap) * turned_deep + first + co) * turned_wide + ci] = number;
}

// Planes (board by board, plane by plane) to rows of `deep` channels.
extern "C" __global__ void planes(const float* from, float* to, int rows, int channels, int deep, int height, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * deep) return;
    int channel = i % deep, row = i / deep;
    Board board{height, width, (height + 1) * (width + 1)};
    float number = 0.f;
    if (channel < channels && on_board(board, row)) {
        int position = row / board.cells, at = row % board.cells;
        int cell = at / (width + 1) * width + at % (width + 1);
        number = tf32(from[((long)position * channels + channel) * height * width + cell]);
    }
    to[i] = number;
}
