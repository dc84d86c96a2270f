// A program as one writes it for Node: hyparquet reads a row group, plain JavaScript maps its records, and
// hyparquet-writer writes what they give.
//
//   node node.js JOB INPUT OUTPUT

import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet/src/node.js';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer/src/node.js';
import { pathToFileURL } from 'node:url';

const [job, input, output] = process.argv.slice(2);
const { columns, outputs, mapColumns } = await import(pathToFileURL(job).href);

const file = await asyncBufferFromFile(input);
const metadata = await parquetMetadataAsync(file);
let writer = null;

let rowStart = 0;
for (const group of metadata.row_groups) {
  const rows = Number(group.num_rows);
  const rowEnd = rowStart + rows;
  const chunks = Object.fromEntries(columns.map((name) => [name, []]));
  await parquetRead({
    file,
    metadata,
    columns,
    rowStart,
    rowEnd,
    onChunk: ({ columnName, columnData }) => chunks[columnName].push(columnData),
  });
  const given = Object.fromEntries(columns.map((name) => [name, joined(chunks[name])]));
  write(mapColumns(given, rows));
  rowStart = rowEnd;
}
await writer.finish();

function joined(chunks) {
  return chunks.length === 1 ? chunks[0] : [].concat(...chunks.map((chunk) => Array.from(chunk)));
}

function write(found) {
  const columnData = Object.entries(outputs).map(([name, type]) => ({
    name,
    type,
    data: found[name],
    nullable: false,
  }));
  writer ??= new ParquetWriter({ writer: fileWriter(output), schema: schemaFromColumnData({ columnData }) });
  writer.write({ columnData, rowGroupSize: 122_880 });
}
