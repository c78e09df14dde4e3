/** Creates DOM elements without a framework, and shows times as people read and enter them: in their own time zone. */

/** Creates an element: `h('a', { href, class: 'tag' }, 'text', child)`. Ignores `undefined`, `null` and `false`. */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list' && key !== 'form') element[key] = value;
    else element.setAttribute(key === 'class' ? 'class' : key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child || child === 0));
  return element;
}

export const ul = (style, items) => h('ul', { class: style, role: 'list' }, items);
export const hint = (...children) => h('p', { class: 'hint' }, ...children);
/** A button beside others that matter more. */
export const quiet = (text, onclick, properties) =>
  h('button', { class: 'quiet', onclick, ...properties }, text);

export const orNothing = (list) => (list.children.length > 0 ? list : hint('Nothing here yet.'));

/** `1 photo`, `2 photos` */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
export const timeOf = (time) => new Date(time).toLocaleTimeString([], { timeStyle: 'short' });
export const dayOf = (time) => new Date(time).toLocaleDateString([], { dateStyle: 'medium' });
