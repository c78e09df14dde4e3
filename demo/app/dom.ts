/** Creates DOM elements without a framework, and shows times as people read and enter them: in their own time zone. */

/** What an element can contain; what is no node or text is left out. */
export type Child = Node | string | number | false | null | undefined | readonly Child[];

type Property = string | number | boolean | null | undefined | ((event: never) => unknown);
type Properties = Readonly<Record<string, Property>>;

/** Creates an element: `h('a', { href, class: 'tag' }, 'text', child)`. Ignores `undefined`, `null` and `false`. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else if (key in element && key !== 'list' && key !== 'form') Reflect.set(element, key, value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (typeof child === 'number') return [String(child)];
    if (child instanceof Node || typeof child === 'string') return [child];
    return child ? nodesOf(child) : [];
  });
}

export const ul = (style: string, items: readonly HTMLElement[]) =>
  h('ul', { class: style, role: 'list' }, items);
export const hint = (...children: readonly Child[]) => h('p', { class: 'hint' }, ...children);
/** A button beside others that matter more. */
export const quiet = (text: string, onclick?: () => unknown, properties: Properties = {}) =>
  h('button', { class: 'quiet', onclick, ...properties }, text);

export const orNothing = (list: HTMLElement) =>
  list.children.length > 0 ? list : hint('Nothing here yet.');

/** The only element of the page, or of a part of it, for a selector. */
export function one(selector: string, parent: ParentNode = document): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`There is no ${selector}.`);
  return found;
}

/** The element with the focus. */
export function focused(): HTMLElement {
  return document.activeElement instanceof HTMLElement ? document.activeElement : document.body;
}

/** Moves the focus to the start of the view, if what had it is no longer there. */
export function focusView(): void {
  one('#view').focus({ preventScroll: true });
}

/** `1 photo`, `2 photos` */
export const counted = (number: number, noun: string) =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;
export const timeOf = (time: number) =>
  new Date(time).toLocaleTimeString([], { timeStyle: 'short' });
export const dayOf = (time: number) =>
  new Date(time).toLocaleDateString([], { dateStyle: 'medium' });
