/** Elements without a framework. */

/** An element: `h('a', { href, class: 'tag' }, 'text', child)`. What is `undefined`, `null` or `false` is left out. */
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

/** Tells something at the foot of the page, to screen readers too. */
export function notify(text) {
  const notice = document.querySelector('#notice');
  notice.textContent = text;
  notice.classList.add('is-shown');
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => notice.classList.remove('is-shown'), 5000);
}
