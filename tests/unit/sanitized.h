// sanitized: which sanitizer a test was built with; gcc and clang say it in different ways.
//
//     SANITIZED_ADDRESS   memory: code takes a few times as long, generated code ten times to
//     compile SANITIZED_THREAD    data races: code takes ten times as long and more
#ifndef LUDENS_SANITIZED_H
#define LUDENS_SANITIZED_H

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define SANITIZED_ADDRESS 1
#else
#define SANITIZED_ADDRESS 0
#endif

#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
#define SANITIZED_THREAD 1
#else
#define SANITIZED_THREAD 0
#endif

#endif
