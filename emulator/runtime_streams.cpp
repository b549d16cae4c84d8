/* runtime_streams.cpp: calls of the CUDA runtime for streams, events, graphs and OpenGL. Work has ended when its call
 * returns, so that a stream is never busy. */
#include "emulator/runtime.hpp"

#include <chrono>

using namespace ptx;

extern "C" {

/* Streams and events: everything has ended. */
struct Event {
    std::chrono::steady_clock::time_point time;
};
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = (cudaStream_t) new int;
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete (int *)stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return sticky;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
    return sticky;
}
cudaError_t cudaStreamQuery(cudaStream_t) {
    return sticky;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *status) {
    *status = cudaStreamCaptureStatusNone;
    return sticky;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    *event = (cudaEvent_t) new Event();
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete (Event *)event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    ((Event *)event)->time = std::chrono::steady_clock::now();
    return sticky;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return sticky;
}
cudaError_t cudaEventQuery(cudaEvent_t) {
    return sticky;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    *ms = std::chrono::duration<float, std::milli>(((Event *)to)->time - ((Event *)from)->time).count();
    return sticky;
}

/* Nothing takes time here that a graph could save. */
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams *) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
    return cudaSuccess;
}

/* OpenGL: none here. */
struct cudaGraphicsResource;
cudaError_t cudaGLGetDevices(unsigned *, int *, unsigned, int) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **, unsigned, unsigned, unsigned) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **, unsigned, unsigned) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t *, cudaStream_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t *, cudaStream_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsResourceGetMappedPointer(void **, size_t *, cudaGraphicsResource_t) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *, cudaGraphicsResource_t, unsigned, unsigned) {
    return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) {
    return result(cudaErrorNotSupported);
}
}
