// Normalisation, activation, heads, loss and optimiser. Sums have a fixed order.

#define FULL 0xffffffffu

// Reduces over the threads of a block; all of them get the result.
template <typename Op> __device__ float block_reduce(float number, Op op, float start) {
    __shared__ float shared[33];
    for (int offset = 16; offset; offset /= 2) number = op(number, __shfl_xor_sync(FULL, number, offset));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = number;
    __syncthreads();
    if (threadIdx.x < 32) {
        float other = threadIdx.x < blockDim.x / 32 ? shared[threadIdx.x] : start;
        for (int offset = 16; offset; offset /= 2) other = op(other, __shfl_xor_sync(FULL, other, offset));
        if (threadIdx.x == 0) shared[32] = other;
    }
    __syncthreads();
    float result = shared[32];
    __syncthreads();
    return result;
}

__device__ float block_sum(float number) { return block_reduce(number, [](float a, float b) { return a + b; }, 0.f); }
__device__ float block_max(float number) { return block_reduce(number, [](float a, float b) { return fmaxf(a, b); }, -3.4e38f); }

// Adds two numbers per thread over the lines of a block; threads of line 0 store them.
__device__ void store_sums(float sum, float product, float* part, int channels, int lines, int line, int channel) {
    extern __shared__ float shared[];
    shared[threadIdx.x] = sum;
    shared[blockDim.x + threadIdx.x] = product;
    __syncthreads();
    if (line == 0 && channel < channels) {
        for (int other = 1; other < lines; other++) {
            sum += shared[other * channels + channel];
            product += shared[blockDim.x + other * channels + channel];
        }
        part[((long)blockIdx.x * 2) * channels + channel] = sum;
        part[((long)blockIdx.x * 2 + 1) * channels + channel] = product;
    }
}

// Sums of y and y*y per channel, a share of the rows per block. Margins are zero.
extern "C" __global__ void moments(const float* y, float* part, int rows, int channels) {
    int lines = blockDim.x / channels, line = threadIdx.x / channels, channel = threadIdx.x % channels;
    float sum = 0.f, square = 0.f;
    if (line < lines)
        for (int row = blockIdx.x * lines + line; row < rows; row += gridDim.x * lines) {
            float number = y[(long)row * channels + channel];
            sum += number;
            square += number * number;
        }
    store_sums(sum, square, part, channels, lines, line, line < lines ? channel : channels);
}

// Places of a layer's per-channel tensors; channels from `split` on belong to the second part.
struct Places {
    int split, weight0, weight1, bias0, bias1, mean0, mean1, variance0, variance1;
};
__device__ __forceinline__ int place(int channel, int split, int first, int second) {
    return channel < split ? first + channel : second + channel - split;
}

// Sums of a channel over all shares: a warp's lanes take turns, so the order is fixed.
__device__ __forceinline__ void add_up(const float* part, int shares, int channels, int c, double& sum, double& product) {
    sum = product = 0.;
    for (int share = threadIdx.x % 32; share < shares; share += 32) {
        sum += part[((long)share * 2) * channels + c];
        product += part[((long)share * 2 + 1) * channels + c];
    }
    for (int offset = 16; offset; offset /= 2) {
        sum += __shfl_xor_sync(FULL, sum, offset);
        product += __shfl_xor_sync(FULL, product, offset);
    }
}

// A warp per channel. per is four rows of `channels` numbers: scale, shift, mean, one over the standard deviation.
extern "C" __global__ void normalisation(const float* part, int shares, int channels, int used, float count, float* params,
                                         Places at, int norm, int train, float momentum, float epsilon, float* per) {
    int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (c >= channels) return;
    double sum = 0., square = 0.;
    if (train && norm) add_up(part, shares, channels, c, sum, square);
    if (threadIdx.x % 32) return;
    float scale = 1.f, shift = 0.f, mean = 0.f, inverse = 1.f;
    if (c < used && !norm) shift = params[place(c, at.split, at.bias0, at.bias1)];
    if (c < used && norm) {
        int mean_at = place(c, at.split, at.mean0, at.mean1), variance_at = place(c, at.split, at.variance0, at.variance1);
        float variance;
        if (train) {
            double average = sum / count, spread = square / count - average * average;
            if (spread < 0.) spread = 0.;
            mean = (float)average;
            variance = (float)spread;
            double rest = count > 1.f ? count - 1. : 1.;
            params[mean_at] += momentum * (mean - params[mean_at]);
            params[variance_at] += momentum * ((float)(spread * count / rest) - params[variance_at]);
        } else {
            mean = params[mean_at];
            variance = params[variance_at];
        }
        inverse = (float)(1. / sqrt((double)variance + (double)epsilon));
        scale = params[place(c, at.split, at.weight0, at.weight1)] * inverse;
        shift = params[place(c, at.split, at.bias0, at.bias1)] - mean * scale;
    }
    per[c] = scale;
    per[channels + c] = shift;
    per[2 * channels + c] = mean;
    per[3 * channels + c] = inverse;
}

// x = relu(scale * y + shift + skip) on the board, zero beside it.
extern "C" __global__ void activate(const float* y, const float* per, const float* skip, float* x, int rows, int channels, int height, int width) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long)rows * channels) return;
    int c = i % channels, row = i / channels;
    float number = 0.f;
    if (on_board(Board{height, width, (height + 1) * (width + 1)}, row)) {
        number = per[c] * y[i] + per[channels + c];
        if (skip) number += skip[i];
        number = tf32(fmaxf(number, 0.f));
    }
    x[i] = number;
}

// Gradient before ReLU, in place, with its sums and those of gradient times centred output.
extern "C" __global__ void mask(const float* x, const float* y, const float* per, float* g, float* part, int rows, int channels) {
    int lines = blockDim.x / channels, line = threadIdx.x / channels, channel = threadIdx.x % channels;
    float sum = 0.f, product = 0.f;
    if (line < lines) {
        float mean = per[2 * channels + channel];
        for (int row = blockIdx.x * lines + line; row < rows; row += gridDim.x * lines) {
            long i = (long)row * channels + channel;
            float kept = x[i] > 0.f ? g[i] : 0.f;
            g[i] = kept;
            sum += kept;
            product += kept * (y[i] - mean);
        }
    }
    store_sums(sum, product, part, channels, lines, line, line < lines ? channel : channels);
}

// A warp per channel: its gradients, and the coefficients of `normalised`: of_g, of_y, constant.
extern "C" __global__ void channel_gradients(const float* part, int shares, int channels, int used, float count, const float* per,
                                             float* gradient, Places at, int norm, float* with) {
    int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (c >= channels) return;
    double sum, product;
    add_up(part, shares, channels, c, sum, product);
    if (threadIdx.x % 32) return;
    double scale = per[c], inverse = per[3 * channels + c];
    with[c] = (float)scale;
    with[channels + c] = norm ? (float)(scale * inverse * inverse * product / count) : 0.f;
    with[2 * channels + c] = norm ? (float)(scale * sum / count) : 0.f;
    if (c >= used) return;
    gradient[place(c, at.split, at.bias0, at.bias1)] = (float)sum;
    if (norm) gradient[place(c, at.split, at.weight0, at.weight1)] = (float)(product * inverse);
}

extern "C" __global__ void normalised(const float* g, const float* y, const float* per, const float* with, float* dy,
                                      int rows, int channels, int height, int width) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long)rows * channels) return;
    int c = i % channels, row = i / channels;
    float number = 0.f;
    if (on_board(Board{height, width, (height + 1) * (width + 1)}, row))
        number = tf32(with[c] * g[i] - with[channels + c] * (y[i] - per[2 * channels + c]) - with[2 * channels + c]);
    dy[i] = number;
}

// c = a * b (+ bias per column) (relu), with free strides; 64 x 64 tiles in plain f32.
extern "C" __global__ void __launch_bounds__(256) product(
    const float* a, int a_row, int a_col, const float* b, int b_row, int b_col, const float* bias, float* c, int c_row,
    int m, int n, int k, int relu) {
    __shared__ float as[16][65], bs[16][65];
    int row0 = blockIdx.x * 64, col0 = blockIdx.y * 64, tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sums[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int i = threadIdx.x; i < 1024; i += 256) {
            // Neighbouring threads read neighbouring numbers, whichever way the matrix lies.
            int am = a_col == 1 ? i / 16 : i % 64, ak = a_col == 1 ? i % 16 : i / 64;
            as[ak][am] = row0 + am < m && k0 + ak < k ? a[(long)(row0 + am) * a_row + (long)(k0 + ak) * a_col] : 0.f;
            int bn = b_row == 1 ? i / 16 : i % 64, bk = b_row == 1 ? i % 16 : i / 64;
            bs[bk][bn] = col0 + bn < n && k0 + bk < k ? b[(long)(k0 + bk) * b_row + (long)(col0 + bn) * b_col] : 0.f;
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 16; kk++) {
            float x[4], y[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                x[i] = as[kk][ty + 16 * i];
                y[i] = bs[kk][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) sums[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
            if (row >= m || col >= n) continue;
            float number = sums[i][j] + (bias ? bias[col] : 0.f);
            c[(long)row * c_row + col] = relu ? fmaxf(number, 0.f) : number;
        }
}

// out[column] = sum over rows of a[row][column].
extern "C" __global__ void column_sums(const float* a, float* out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0.f;
    for (int row = 0; row < rows; row++) sum += a[(long)row * columns + column];
    out[column] = sum;
}

// The channels of dense heads, channel by channel: policy and value inputs of a position.
extern "C" __global__ void gather(const float* h, float* policy, float* value, int positions, int channels, int p, int v, int height, int width) {
    int cells = height * width, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= positions * (p + v) * cells) return;
    int cell = i % cells, c = i / cells % (p + v), position = i / cells / (p + v);
    long row = (long)position * (height + 1) * (width + 1) + cell / width * (width + 1) + cell % width;
    float number = h[row * channels + c];
    if (c < p) policy[((long)position * p + c) * cells + cell] = number;
    else value[((long)position * v + c - p) * cells + cell] = number;
}

// The other way round; margins and unused channels become zero.
extern "C" __global__ void scatter(const float* policy, const float* value, float* g, int rows, int channels, int p, int v, int height, int width) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long)rows * channels) return;
    int c = i % channels, row = i / channels, all = (height + 1) * (width + 1);
    float number = 0.f;
    if (c < p + v && on_board(Board{height, width, all}, row)) {
        int position = row / all, at = row % all, cells = height * width;
        int cell = at / (width + 1) * width + at % (width + 1);
        number = c < p ? policy[((long)position * p + c) * cells + cell] : value[((long)position * v + c - p) * cells + cell];
    }
    g[i] = number;
}

// Pooled heads, a block per position: logits, means and maxima (with the cell of each).
extern "C" __global__ void pool(const float* h, const float* weight, const float* bias, float* logits, float* pooled, int* best,
                                int channels, int p, int v, int height, int width) {
    int cells = height * width;
    const float* board = h + (long)blockIdx.x * (height + 1) * (width + 1) * channels;
    for (int cell = threadIdx.x; cell < cells; cell += blockDim.x) {
        const float* row = board + (long)(cell / width * (width + 1) + cell % width) * channels;
        float sum = bias[0];
        for (int c = 0; c < p; c++) sum += weight[c] * row[c];
        logits[(long)blockIdx.x * cells + cell] = sum;
    }
    for (int c = threadIdx.x; c < v; c += blockDim.x) {
        float sum = 0.f, largest = 0.f;
        int at = 0;
        for (int cell = 0; cell < cells; cell++) {
            float number = board[(long)(cell / width * (width + 1) + cell % width) * channels + p + c];
            sum += number;
            if (number > largest) {
                largest = number;
                at = cell;
            }
        }
        pooled[(long)blockIdx.x * 2 * v + c] = sum / cells;
        pooled[(long)blockIdx.x * 2 * v + v + c] = largest;
        if (best) best[(long)blockIdx.x * v + c] = at;
    }
}

// Gradients of the pooled heads' channels, and of the policy's weights (and bias, last), a row per position.
extern "C" __global__ void unpool(const float* h, const float* weight, const float* d_logits, const float* d_pooled, const int* best,
                                  float* g, float* d_weight, int channels, int p, int v, int height, int width) {
    int cells = height * width, all = (height + 1) * (width + 1);
    long base = (long)blockIdx.x * all * channels;
    const float* d = d_logits + (long)blockIdx.x * cells;
    for (int i = threadIdx.x; i < all * channels; i += blockDim.x) {
        int c = i % channels, y = i / channels / (width + 1), x = i / channels % (width + 1);
        float number = 0.f;
        if (y < height && x < width && c < p + v) {
            int cell = y * width + x;
            if (c < p) number = weight[c] * d[cell];
            else {
                const float* pooled = d_pooled + (long)blockIdx.x * 2 * v;
                number = pooled[c - p] / cells + (best[(long)blockIdx.x * v + c - p] == cell ? pooled[v + c - p] : 0.f);
            }
        }
        g[base + i] = number;
    }
    for (int c = threadIdx.x; c <= p; c += blockDim.x) {
        float sum = 0.f;
        for (int cell = 0; cell < cells; cell++)
            sum += d[cell] * (c == p ? 1.f : h[base + (long)(cell / width * (width + 1) + cell % width) * channels + c]);
        d_weight[(long)blockIdx.x * (p + 1) + c] = sum;
    }
}

// value = tanh(bias + weight . hidden), a warp per position.
extern "C" __global__ void value_of(const float* hidden, const float* weight, const float* bias, float* values, int positions, int units) {
    int position = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (position >= positions) return;
    float sum = 0.f;
    for (int unit = lane; unit < units; unit += 32) sum += weight[unit] * hidden[(long)position * units + unit];
    for (int offset = 16; offset; offset /= 2) sum += __shfl_xor_sync(FULL, sum, offset);
    if (lane == 0) values[position] = tanhf(sum + bias[0]);
}

// Losses of a position (three numbers), the gradient of its logits in place, that of its value before tanh.
extern "C" __global__ void loss(float* logits, const float* values, const float* policies, const float* outcomes, float* losses,
                                float* d_value, int cells, float share) {
    float* own = logits + (long)blockIdx.x * cells;
    const float* target = policies + (long)blockIdx.x * cells;
    float largest = -3.4e38f, sum = 0.f, mass = 0.f, cross = 0.f, entropy = 0.f;
    for (int cell = threadIdx.x; cell < cells; cell += blockDim.x) largest = fmaxf(largest, own[cell]);
    largest = block_max(largest);
    for (int cell = threadIdx.x; cell < cells; cell += blockDim.x) {
        sum += expf(own[cell] - largest);
        mass += target[cell];
    }
    float log_sum = logf(block_sum(sum)) + largest;
    mass = block_sum(mass);
    for (int cell = threadIdx.x; cell < cells; cell += blockDim.x) {
        float log_p = own[cell] - log_sum, p = expf(log_p);
        cross -= target[cell] * log_p;
        entropy -= p * log_p;
        own[cell] = share * (p * mass - target[cell]);
    }
    cross = block_sum(cross);
    entropy = block_sum(entropy);
    if (threadIdx.x == 0) {
        float value = values[blockIdx.x], error = value - outcomes[blockIdx.x];
        losses[3 * blockIdx.x] = error * error;
        losses[3 * blockIdx.x + 1] = cross;
        losses[3 * blockIdx.x + 2] = entropy;
        d_value[blockIdx.x] = 2.f * error * share * (1.f - value * value);
    }
}

// d_hidden = d_value * weight where the unit is not zero.
extern "C" __global__ void unvalue(const float* d_value, const float* weight, const float* hidden, float* d_hidden, int positions, int units) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= positions * units) return;
    d_hidden[i] = hidden[i] > 0.f ? d_value[i / units] * weight[i % units] : 0.f;
}

extern "C" __global__ void adam(float* params, const float* gradient, float* first, float* second, const float* trained, int count,
                                float decay, float beta1, float beta2, float rate, float correction, float epsilon) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || trained[i] == 0.f) return;
    float g = gradient[i] + decay * params[i];
    float m = beta1 * first[i] + (1.f - beta1) * g;
    float v = beta2 * second[i] + (1.f - beta2) * (g * g);
    first[i] = m;
    second[i] = v;
    params[i] -= rate * m / (sqrtf(v) * correction + epsilon);
}
