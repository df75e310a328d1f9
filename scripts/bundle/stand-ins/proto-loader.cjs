// Replaces @grpc/proto-loader. Provides service definitions for clients, without descriptors, which only server reflection needs.
// Types are resolved and their codecs compiled at the first call of a method.
const { Root, Service, Type } = require("protobufjs");

exports.fromJSON = (json, options) =>
  Object.fromEntries(services(Root.fromJSON(json), "").map(([name, service]) => [name, methodsOf(service, name, options)]));

function services(space, prefix) {
  return space.nestedArray.flatMap((item) => {
    const name = prefix + item.name;
    if (item instanceof Service) return [[name, item]];
    return item.nestedArray === undefined || item instanceof Type ? [] : services(item, `${name}.`);
  });
}

function methodsOf(service, serviceName, options) {
  return Object.fromEntries(
    service.methodsArray.map((method) => [
      method.name,
      {
        path: `/${serviceName}/${method.name}`,
        requestStream: Boolean(method.requestStream),
        responseStream: Boolean(method.responseStream),
        originalName: method.name[0].toLowerCase() + method.name.slice(1),
        ...codec("request", () => method.resolve().resolvedRequestType, options),
        ...codec("response", () => method.resolve().resolvedResponseType, options),
      },
    ]),
  );
}

function codec(side, typeOf, options) {
  return {
    [`${side}Serialize`]: (message) => {
      const type = typeOf();
      return type.encode(type.fromObject(message)).finish();
    },
    [`${side}Deserialize`]: (bytes) => {
      const type = typeOf();
      return type.toObject(type.decode(bytes), options);
    },
  };
}
