/** The page that shows a person what is stored. Its addresses are the names of documents and collections. */
import { elementsOf, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import { requireId, type Database } from './memoryDatabase.ts';

/** How many documents of a collection are shown at once. */
const MOST = 100;

const STYLE = `
  body { font: 14px/1.5 sans-serif }
  h1, h2 { font-size: 16px }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1em; margin: 0 }
  dd { margin: 0 }
  span { white-space: pre-wrap }
  small { color: gray }
`;

/** HTML in which everything that was inserted is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function markup(parts: TemplateStringsArray, ...inserted: (string | Html | Html[])[]): Html {
  const textOf = (part: string | Html) =>
    part instanceof Html
      ? part.text
      : part.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
  const texts = inserted.map((each) => [each].flat().map(textOf).join(''));
  return new Html(String.raw({ raw: parts }, ...texts));
}

/** The databases that were used. */
export function databasesPage(roots: readonly string[]): Html {
  return page(listOf(roots.map((root) => link(root, root))));
}

/** What is at a path of a database: its collections, a document, or a part of the documents of a collection. */
export function dataPage(database: Database, path: string, start: number): Html {
  const ids = path === '' ? [] : path.split('/').map(requireId);
  const names = ids.map((_id, index) => [database.root, ...ids.slice(0, index + 1)].join('/'));
  const name = names.at(-1) ?? database.root;
  const linkTo = (id: string) => link(`${name}/${id}`, id);
  const trail = names.map((each, index) => markup` / ${link(each, ids[index] ?? '')}`);
  const title = markup` / ${link(database.root, database.root)}${trail}`;
  const below = database.idsBelow(ids);
  if (ids.length % 2 === 0) {
    const document = ids.length === 0 ? '' : documentOf(database, name);
    return page(markup`${document}<h2>Collections</h2>${listOf(below.map(linkTo))}`, title);
  }
  const shown = below.slice(start, start + MOST);
  const end = start + shown.length;
  const documents = shown.map(
    (id) => markup`<h2>${linkTo(id)}</h2>${documentOf(database, `${name}/${id}`)}`,
  );
  const more = end < below.length ? markup`<a href="?start=${String(end)}">More</a>` : '';
  const count = `${start + 1} to ${end} of ${below.length} documents`;
  return page(markup`<p>${count}</p>${documents}${more}`, title);
}

function documentOf(database: Database, name: string): Html {
  const document = database.get(name);
  if (!document) return markup`<p>There is no document, only collections below it.</p>`;
  const { fields = {}, createTime, updateTime } = document;
  return markup`${fieldsOf(fields)}<p>Created ${createTime}, updated ${updateTime}</p>`;
}

function fieldsOf(fields: Fields): Html {
  const entries = Object.entries(fields).map(
    ([name, value]) => markup`<dt>${name}</dt><dd>${valueOf(value)}</dd>`,
  );
  return markup`<dl>${entries}</dl>`;
}

function valueOf(value: Value): Html {
  if (value.mapValue) return fieldsOf(value.mapValue.fields ?? {});
  if (value.arrayValue) return listOf(elementsOf(value).map(valueOf));
  const [[kind, stored] = ['', '']] = Object.entries(value);
  const text = typeof stored === 'object' ? JSON.stringify(stored) : String(stored);
  const shown = value.referenceValue === undefined ? text : link(text, text);
  return markup`<span>${shown}</span> <small>${kind.replace('Value', '')}</small>`;
}

function listOf(elements: readonly Html[]): Html {
  return markup`<ul>${elements.map((each) => markup`<li>${each}</li>`)}</ul>`;
}

function link(name: string, text: string): Html {
  return markup`<a href="/${name.split('/').map(encodeURIComponent).join('/')}">${text}</a>`;
}

function page(content: Html, title: Html | '' = ''): Html {
  return markup`<!doctype html><meta charset="utf-8"><title>Firestore</title><style>${STYLE}</style><h1><a href="/">Firestore</a>${title}</h1>${content}`;
}
