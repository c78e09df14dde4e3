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

/** Shows a message at the bottom of the page, also to screen readers. */
export function notify(text) {
  const notice = document.querySelector('#notice');
  notice.textContent = text;
  notice.classList.add('is-shown');
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => notice.classList.remove('is-shown'), 5000);
}
