/** HTML pages that show the stored documents. Their paths are the names of documents and collections. */
import { getArrayElements, type Value } from '@tattoo-marketplace/firestore-rest';
import { getValue } from '../engine/fieldPaths.ts';
import type { Database } from '../engine/database.ts';
import { parseId } from '../engine/normalize.ts';
import { Html, renderHtml } from './html.ts';
import { STYLE } from './style.ts';

/** The maximum size of a table. A collection may have any number of documents, and a document any number of fields. */
const MAX_DOCUMENTS = 500;
const MAX_FIELDS = 5;
/** The start of a string that a table shows. A string may have 1 MiB. */
const STRING_START = /^.{0,60}/su;

/** Renders the list of databases, or the only database. */
export function renderDatabasesPage(databases: readonly Database[]): Html {
  const [first, second] = databases;
  if (first && !second) return renderDataPage(first, '');
  return renderPage(
    'Databases',
    renderList(databases.map(({ root }) => renderLink(root, formatTitle(root)))),
  );
}

/** Renders the page of a database, a collection, a document, or a search for documents by a part of their ids. */
export function renderDataPage(database: Database, path: string, search = ''): Html {
  const { root } = database;
  const ids = path === '' ? [] : path.split('/').map(parseId);
  const trail = [formatTitle(root), ...ids].map((label, index) =>
    renderLink([root, ...ids.slice(0, index)].join('/'), label),
  );
  const collections = database
    .listChildIds([])
    .map((id) =>
      renderLink(`${root}/${id}`, id, id === ids[0] ? renderHtml` aria-current="true"` : ''),
    );
  const form = renderHtml`<form role="search" action="${toHref(root)}"><input type="search" name="search" value="${search}" required aria-label="Part of an id"><button>Find by id</button></form>`;
  return renderPage(
    search === '' ? (ids.at(-1) ?? formatTitle(root)) : `“${search}”`,
    search === '' ? renderContent(database, ids) : renderSearchResults(database, search),
    renderHtml`<nav aria-label="Path">${renderList(trail)}</nav>${form}`,
    renderHtml`<nav aria-label="Collections">${renderList(collections)}</nav>`,
  );
}

function renderSearchResults(database: Database, search: string): Html {
  const names = database.list().map(({ name }) => name);
  const matches = names.filter((name) => name.includes(search, name.lastIndexOf('/') + 1)).sort();
  return renderDocuments(database, database.root, matches);
}

function renderContent(database: Database, ids: readonly string[]): Html {
  const name = [database.root, ...ids].join('/');
  const below = database.listChildIds(ids);
  if (ids.length % 2 === 1) {
    const names = below.map((id) => `${name}/${id}`);
    return renderDocuments(database, name, names);
  }
  const rows = below.map((id) => {
    const { length } = database.listChildIds([...ids, id]);
    return renderRow(renderLink(`${name}/${id}`, id), [renderHtml`<td>${String(length)}</td>`]);
  });
  const collections = renderTable('Collections', ['Id', 'Documents'], rows);
  if (ids.length === 0) return collections;
  return renderHtml`${renderDocument(database, name)}${rows.length > 0 ? collections : ''}`;
}

/** Renders a table of documents with a few fields. A document that does not exist may have collections. */
function renderDocuments(database: Database, parent: string, names: readonly string[]): Html {
  const documents = names.slice(0, MAX_DOCUMENTS).map((name) => {
    return { name, fields: database.get(name)?.fields ?? {} };
  });
  const fieldNames = new Set(documents.flatMap(({ fields }) => Object.keys(fields)));
  const columns = [...fieldNames].slice(0, MAX_FIELDS);
  const rows = documents.map(({ name, fields }) => {
    const cells = columns.map(
      (column) => renderHtml`<td>${renderPreview(getValue(fields, [column]))}</td>`,
    );
    return renderRow(renderLink(name, name.slice(parent.length + 1)), cells);
  });
  return renderTable(`${documents.length} of ${names.length} documents`, ['Id', ...columns], rows);
}

function renderDocument(database: Database, name: string): Html {
  const document = database.get(name);
  if (!document) return renderHtml`<p>There is no document.</p>`;
  const { fields = {}, createTime, updateTime } = document;
  return renderHtml`${renderFields(Object.entries(fields))}<p>Created ${createTime}, updated ${updateTime}</p>`;
}

function renderFields(entries: readonly (readonly [string | number, Value])[]): Html {
  const rows = entries.map(([name, value]) => {
    return renderHtml`<div><dt><bdi>${String(name)}</bdi> <small>${getTypeName(value)}</small></dt><dd>${renderValue(value)}</dd></div>`;
  });
  return renderHtml`<dl>${rows}</dl>`;
}

function renderValue(value: Value): Html {
  if (value.mapValue) return renderFields(Object.entries(value.mapValue.fields ?? {}));
  if (value.arrayValue) return renderFields([...getArrayElements(value).entries()]);
  const text = formatValue(value);
  return value.referenceValue === undefined
    ? renderHtml`<bdi>${text}</bdi>`
    : renderLink(text, text);
}

function getTypeName(value: Value): string {
  return Object.keys(value)[0]?.replace('Value', '') ?? '';
}

function formatValue(value: Value): string {
  const content: unknown = Object.values(value)[0];
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** Renders a value for a table. */
function renderPreview(value: Value | undefined): Html | '' {
  if (value === undefined) return '';
  if (value.mapValue)
    return renderHtml`<small>map of ${String(Object.keys(value.mapValue.fields ?? {}).length)}</small>`;
  if (value.arrayValue)
    return renderHtml`<small>array of ${String(getArrayElements(value).length)}</small>`;
  return renderHtml`<bdi>${truncate(formatValue(value))}</bdi>`;
}

function truncate(text: string): string {
  const [start = ''] = STRING_START.exec(text) ?? [];
  return start === text ? text : `${start}…`;
}

function renderTable(caption: string, columns: readonly string[], rows: readonly Html[]): Html {
  const headers = columns.map(
    (name) => renderHtml`<th scope="col"><bdi>${truncate(name)}</bdi></th>`,
  );
  return renderHtml`<div class="table"><table><caption>${caption}</caption><thead><tr>${headers}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function renderRow(title: Html, cells: readonly Html[]): Html {
  return renderHtml`<tr><th scope="row">${title}</th>${cells}</tr>`;
}

function renderList(items: readonly Html[]): Html {
  return renderHtml`<ul role="list">${items.map((item) => renderHtml`<li>${item}</li>`)}</ul>`;
}

function renderLink(name: string, text: string, attributes: Html | '' = ''): Html {
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

function renderPage(
  title: string,
  content: Html,
  header: Html | '' = '',
  aside: Html | '' = '',
): Html {
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
