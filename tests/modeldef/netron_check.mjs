// SPDX-License-Identifier: Apache-2.0
// Opens .om files with Netron's own reader, visits every node, value and attribute, and fails when
// the reader refuses anything. Usage: node netron_check.mjs <netron folder> <file.om ...>
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import url from 'node:url';

const [netron, ...files] = process.argv.slice(2);
const load = (id) => import(url.pathToFileURL(path.join(netron, `${id.replace('./', '')}.js`)));
const base = await load('base');
const view = await load('view');

// The part of Netron's host interface that opening a model needs.
const host = {
  type: 'Test',
  environment: () => null,
  event: () => {},
  exception: (error) => { throw error; },
  require: (id) => load(id),
  worker: () => null,
  request: async (file, encoding, folder) => {
    const data = fs.readFileSync(path.join(folder || netron, file), encoding);
    return encoding ? data : new base.BinaryStream(data);
  },
};

class Context {
  constructor(file) {
    this.host = host;
    this.identifier = path.basename(file);
    this.folder = path.dirname(file);
    this.stream = new base.BinaryStream(fs.readFileSync(file));
    this.entries = new Map();
  }
  request(file, encoding, folder) {
    return host.request(file, encoding, folder === undefined ? this.folder : folder);
  }
  require(id) { return host.require(id); }
  error(error) { throw error; }
}

function visit(graph) {
  const counts = { nodes: 0, values: 0, constants: 0, withData: 0 };
  for (const node of graph.nodes) {
    ++counts.nodes;
    for (const argument of [...node.inputs, ...node.outputs]) {
      for (const value of argument.value) {
        if (!value) continue;
        ++counts.values;
        if (value.type) value.type.toString();
        if (!value.initializer) continue;
        ++counts.constants;
        const { values } = value.initializer;
        if (values && values.length > 0) ++counts.withData;
      }
    }
    for (const attribute of node.attributes || []) String(attribute.value);
  }
  return counts;
}

let failed = 0;
for (const file of files) {
  try {
    const model = await new view.ModelFactoryService(host).open(new Context(file));
    if (model.format !== 'DaVinci OM') throw new Error(`opened as '${model.format}'`);
    const counts = model.modules.map(visit);
    console.log(`${file}: ${JSON.stringify(counts)}`);
  } catch (error) {
    ++failed;
    console.error(`${file}: ${error.message}`);
  }
}
process.exit(failed ? 1 : 0);
