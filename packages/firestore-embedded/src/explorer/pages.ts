/** HTML pages that show what is stored. Their paths are the names of documents and collections. */
import { getArrayElements, type Value } from '@tattoo-marketplace/firestore-rest';
import { getValue } from '../engine/fieldPaths.ts';
import { parseId, type Database } from '../engine/database.ts';
import { Html, renderHtml } from './html.ts';
import { STYLE } from './style.ts';

/** The maximum number of documents in a table, and of their fields. */
const MAX_SHOWN = { documents: 500, fields: 5 };
/** The part of a string that a table shows. A string may have 1 MiB. */
const START_OF_TEXT = /^.{0,60}/su;

/** The list of databases, or the only database. */
export function databasesPage(databases: readonly Database[]): Html {
  const [first, second] = databases;
  if (first && !second) return dataPage(first, '');
  return page('Databases', renderList(databases.map(({ root }) => link(root, formatTitle(root)))));
}

/** The page of a database, a collection, a document, or of a search for documents by a part of their ids. */
export function dataPage(database: Database, path: string, search = ''): Html {
  const { root } = database;
  const ids = path === '' ? [] : path.split('/').map(parseId);
  const trail = [formatTitle(root), ...ids].map((text, index) =>
    link([root, ...ids.slice(0, index)].join('/'), text),
  );
  const collections = database
    .listChildIds([])
    .map((id) => link(`${root}/${id}`, id, id === ids[0] ? renderHtml` aria-current="true"` : ''));
  const form = renderHtml`<form role="search" action="${toHref(root)}"><input type="search" name="search" value="${search}" required aria-label="Part of an id"><button>Find by id</button></form>`;
  return page(
    search === '' ? (ids.at(-1) ?? formatTitle(root)) : `“${search}”`,
    search === '' ? renderContent(database, ids) : renderSearchResults(database, search),
    renderHtml`<nav aria-label="Path">${renderList(trail)}</nav>${form}`,
    renderHtml`<nav aria-label="Collections">${renderList(collections)}</nav>`,
  );
}

function renderSearchResults(database: Database, search: string): Html {
  const names = database.list().map(({ name }) => name);
  const matches = names.filter((name) => name.includes(search, name.lastIndexOf('/') + 1)).sort();
  return documentTable(database, database.root, matches);
}

function renderContent(database: Database, ids: readonly string[]): Html {
  const name = [database.root, ...ids].join('/');
  const below = database.listChildIds(ids);
  if (ids.length % 2 === 1) {
    const names = below.map((id) => `${name}/${id}`);
    return documentTable(database, name, names);
  }
  const rows = below.map((id) => {
    const { length } = database.listChildIds([...ids, id]);
    return row(link(`${name}/${id}`, id), [renderHtml`<td>${String(length)}</td>`]);
  });
  const collections = table('Collections', ['Id', 'Documents'], rows);
  if (ids.length === 0) return collections;
  return renderHtml`${renderDocument(database, name)}${rows.length > 0 ? collections : ''}`;
}

/** Lists documents with a few fields. A document that does not exist may have collections. */
function documentTable(database: Database, parent: string, names: readonly string[]): Html {
  const shown = names.slice(0, MAX_SHOWN.documents).map((name) => {
    return { name, fields: database.get(name)?.fields ?? {} };
  });
  const all = new Set(shown.flatMap(({ fields }) => Object.keys(fields)));
  const columns = [...all].slice(0, MAX_SHOWN.fields);
  const rows = shown.map(({ name, fields }) => {
    const cells = columns.map(
      (column) => renderHtml`<td>${preview(getValue(fields, [column]))}</td>`,
    );
    return row(link(name, name.slice(parent.length + 1)), cells);
  });
  return table(`${shown.length} of ${names.length} documents`, ['Id', ...columns], rows);
}

function renderDocument(database: Database, name: string): Html {
  const document = database.get(name);
  if (!document) return renderHtml`<p>There is no document.</p>`;
  const { fields = {}, createTime, updateTime } = document;
  return renderHtml`${renderFields(Object.entries(fields))}<p>Created ${createTime}, updated ${updateTime}</p>`;
}

function renderFields(entries: readonly (readonly [string | number, Value])[]): Html {
  const rows = entries.map(([name, value]) => {
    return renderHtml`<div><dt><bdi>${String(name)}</bdi> <small>${typeName(value)}</small></dt><dd>${renderValue(value)}</dd></div>`;
  });
  return renderHtml`<dl>${rows}</dl>`;
}

function renderValue(value: Value): Html {
  if (value.mapValue) return renderFields(Object.entries(value.mapValue.fields ?? {}));
  if (value.arrayValue) return renderFields([...getArrayElements(value).entries()]);
  const text = formatValue(value);
  return value.referenceValue === undefined ? renderHtml`<bdi>${text}</bdi>` : link(text, text);
}

function typeName(value: Value): string {
  return Object.keys(value)[0]?.replace('Value', '') ?? '';
}

function formatValue(value: Value): string {
  const stored: unknown = Object.values(value)[0];
  return typeof stored === 'string' ? stored : JSON.stringify(stored);
}

/** Shortens a value for a table. */
function preview(value: Value | undefined): Html | '' {
  if (value === undefined) return '';
  if (value.mapValue)
    return renderHtml`<small>map of ${String(Object.keys(value.mapValue.fields ?? {}).length)}</small>`;
  if (value.arrayValue)
    return renderHtml`<small>array of ${String(getArrayElements(value).length)}</small>`;
  return renderHtml`<bdi>${truncate(formatValue(value))}</bdi>`;
}

function truncate(text: string): string {
  const [start = ''] = START_OF_TEXT.exec(text) ?? [];
  return start === text ? text : `${start}…`;
}

function table(caption: string, columns: readonly string[], rows: readonly Html[]): Html {
  const headers = columns.map(
    (name) => renderHtml`<th scope="col"><bdi>${truncate(name)}</bdi></th>`,
  );
  return renderHtml`<div class="table"><table><caption>${caption}</caption><thead><tr>${headers}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function row(title: Html, cells: readonly Html[]): Html {
  return renderHtml`<tr><th scope="row">${title}</th>${cells}</tr>`;
}

function renderList(items: readonly Html[]): Html {
  return renderHtml`<ul role="list">${items.map((item) => renderHtml`<li>${item}</li>`)}</ul>`;
}

function link(name: string, text: string, attributes: Html | '' = ''): Html {
  return renderHtml`<a href="${toHref(name)}"${attributes}><bdi>${text}</bdi></a>`;
}

function toHref(name: string): string {
  return `/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/** `PROJECT (default)` for `projects/PROJECT/databases/(default)/documents` */
function formatTitle(root: string): string {
  const [, project, , id] = root.split('/');
  return `${project ?? ''} ${id ?? ''}`;
}

function page(title: string, content: Html, header: Html | '' = '', aside: Html | '' = ''): Html {
  return renderHtml`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Firestore</title>
<style>${new Html(STYLE)}</style>
<body>
<header><a href="/">Firestore</a>${header}</header>
${aside}
<main><h1><bdi>${title}</bdi></h1>${content}</main>`;
}
