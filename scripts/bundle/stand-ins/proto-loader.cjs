// Replaces @grpc/proto-loader. Provides the service definition of a module that scripts/bundle/codecs.ts generates, for clients: without
// descriptors, which only server reflection needs.
exports.fromJSON = ({ service, methods }, options) => ({
  [service]: Object.fromEntries(
    methods().map(({ name, requestStream, responseStream, request, response }) => [
      name,
      {
        path: `/${service}/${name}`,
        requestStream,
        responseStream,
        originalName: name[0].toLowerCase() + name.slice(1),
        requestSerialize: (message) => request.encode(request.fromObject(message)).finish(),
        responseDeserialize: (bytes) => response.toObject(response.decode(bytes), options),
      },
    ]),
  ),
});
