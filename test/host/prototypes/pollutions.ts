// What a package may have put on Object.prototype, or on that of arrays, before the host is loaded: by name, what does
// it, which answers with what takes it away again.

const keys = (entries: Readonly<Record<string, unknown>>) => (): (() => void) => {
  for (const [name, value] of Object.entries(entries))
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true, enumerable: false });
  return () => {
    for (const name of Object.keys(entries)) Reflect.deleteProperty(Object.prototype, name);
  };
};

const granting = { files: null, http: null, system: () => 'polluted' };

export const pollutions: Readonly<Record<string, () => () => void>> = {
  'no pollution': () => () => {},
  'options of the host': keys({
    permissions: () => ({ kind: 'any', constraints: null }),
    promptTimeoutMs: 1,
    environment: { HIDDEN: 'polluted', SLUICE_SECRET: 'polluted' },
    privateNetwork: 'allow',
    baseDir: '/',
    resolve: async () => ['1.1.1.1'],
    certificateAuthorities: ['x'],
    isolation: 'worker',
    workerUrl: 'file:///nowhere.js',
    pool: {},
    trusted: true,
    ints: 'number',
    record: true,
    random: 7,
    clock: 7,
    log: () => {
      throw new Error('polluted');
    },
    memory: null,
    findChangedBuiltIn: null,
  }),
  'options of pools': keys({ maxWorkers: 0, maxWaiting: 0, maxQueue: 0, maxProcesses: 0, idleMs: 0 }),
  'parts of the host': keys({
    thread: {
      promising: () => () => 'polluted',
      look: () => {
        throw new Error('polluted');
      },
      goOn: () => {},
    },
    startProcess: null,
  }),
  namespaces: keys({
    File: { read: () => 'polluted', write: () => {} },
    Env: { get: () => 'polluted', system: () => 'polluted' },
    Http: { get: () => 'polluted' },
  }),
  'a platform': keys({ platform: granting }),
  'parts of a platform': keys({
    files: null,
    http: null,
    system: () => 'polluted',
    server: () => ({ body: 'polluted' }),
  }),
  limits: keys({
    limits: { fuel: 1e15 },
    fuel: 1e15,
    timeMs: 1,
    memoryBytes: 1,
    depthBytes: 64,
    outputItems: 1e9,
    outputBytes: 1,
    unreadItems: 1,
    onLimit: () => ({ newLimit: 1e15 }),
    most: { fuel: 1e15 },
    newLimit: 1e15,
  }),
  'parts of a manifest': keys({
    guards: ['use', 'depth', 'memory'],
    waits: [],
    exports: [],
    plugins: [],
    yields: [],
    results: [],
    uses: ['polluted'],
    used: [0, 0],
    file: 'polluted',
  }),
  constraints: keys({
    allowedDirectories: ['/'],
    allowedExtensions: ['pem'],
    rewrittenPath: '/etc/passwd',
    readOnly: false,
    maxBytes: 1e9,
    allowedDomains: ['127.0.0.1'],
    allowedPorts: [80],
    httpsOnly: false,
    maxResponseSize: 1,
    timeoutMs: 1,
    allowedVarNames: ['HIDDEN', 'SLUICE_SECRET'],
  }),
  'parts of answers': keys({
    kind: 'any',
    constraints: {},
    reason: 'polluted',
    error: 'SecurityError',
    message: 'polluted',
    answer: 'polluted',
    endsRun: true,
    status: 200,
    location: 'http://127.0.0.1/',
    type: 'polluted',
    int: '1',
    double: 1,
    ints: ['1'],
    doubles: [1],
    struct: [],
    object: [],
    note: null,
    keys: ['polluted'],
    items: ['polluted'],
  }),
  'parts of plugins': keys({
    permission: null,
    async: true,
    on: 'string',
    details: () => ({}),
    documentation: 'polluted',
    types: ['type P { int x; }'],
    call: () => 'polluted',
    work: () => 'polluted',
    wasm: null,
    self: () => null,
    owned: null,
    code: null,
  }),
  'options of Node': keys({
    flag: 'w',
    socketPath: '/nowhere.sock',
    host: '127.0.0.1',
    port: 1,
    lookup: null,
    agent: null,
    throwIfNoEntry: true,
    bufferSize: 1,
    recursive: true,
    all: false,
    env: {},
    execArgv: [],
    stackSizeMb: 1,
    eval: true,
    argv: ['x'],
  }),
  toJSON: keys({ toJSON: () => 'polluted' }),
};
