// What a kernel in C needs of the outside: the same for the native builds and for wasm without a C library.
// Every main.c defines run, whose result is compared with those of the other languages.

#ifndef BENCH_H
#define BENCH_H

typedef __INT8_TYPE__ int8_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;

#define NULL ((void *)0)
#define PI 3.141592653589793
#define sqrt __builtin_sqrt
#define fabs __builtin_fabs
#define memcpy __builtin_memcpy
#define memset __builtin_memset

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *block);

double run(int n);

#endif
