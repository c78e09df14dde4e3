/** Creates DOM elements without a framework. */

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

/** `1 photo`, `2 photos` */
export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Shows a message at the bottom of the page, also to screen readers, with a button to undo what it says. */
export function notify(text, undo) {
  const notice = document.querySelector('#notice');
  const hide = () => notice.classList.remove('is-shown');
  const onclick = () => {
    hide();
    undo();
  };
  notice.replaceChildren(text, ...(undo ? [h('button', { class: 'quiet', onclick }, 'Undo')] : []));
  notice.classList.add('is-shown');
  clearTimeout(notify.timer);
  notify.timer = setTimeout(hide, undo ? 12_000 : 6_000);
}
