/** The style of the pages. It follows the color scheme of the system and loads nothing. */
export const STYLE = `
  :root {
    --paper: light-dark(#fffdf9, #171513);
    --raised: light-dark(#f7f2e9, #211e1b);
    --line: 1px solid light-dark(#e4dacb, #38322c);
    --muted: light-dark(#5d544b, #b9aea1);
    --accent: light-dark(#a3342a, #f08a7c);
    color-scheme: light dark;
    background: var(--paper);
    color: light-dark(#211d1a, #f1ebe2);
    font: 0.9375rem/1.5 system-ui, sans-serif;
    overflow-wrap: anywhere;
  }
  body { display: grid; grid-template-columns: 14rem minmax(0, 1fr); margin: 0 }
  main, body > nav { padding: 1.5rem }
  ul { margin: 0; padding: 0; list-style: none }
  h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
  a { color: var(--accent) }
  a:not(:hover) { text-decoration: none }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  small, caption, main > p, :empty::before { color: var(--muted) }

  header { display: flex; flex-wrap: wrap; grid-column: 1 / -1; align-items: center; gap: 0.5rem 1rem; padding: 0.75rem 1.5rem; border-bottom: var(--line); background: var(--raised) }
  header > a { color: inherit; font-weight: 700 }
  header > nav { flex: 1 }
  header li { display: inline }
  header li + li::before { padding: 0 0.5em; color: var(--muted); content: '/' }
  form { display: flex; gap: 0.5rem; max-width: 100%; white-space: nowrap }
  input { flex: 1; min-width: 0 }
  input, button { padding: 0.25rem 0.75rem; border: 1px solid var(--muted); border-radius: 0.5rem; background: var(--paper); color: inherit; font: inherit }

  body > nav { padding-right: 0 }
  body > nav a { display: block; padding: 0.25rem 0.75rem; border-left: 3px solid transparent; color: inherit }
  [aria-current=true] { border-color: var(--accent); font-weight: 600 }
  /* Forced colors show transparent borders. */
  @media (forced-colors: active) { body > nav a:not([aria-current=true]) { border-color: Canvas } }

  .table, main > dl { margin-bottom: 1rem; border: var(--line); border-radius: 0.75rem }
  .table { overflow-x: auto }
  table { width: 100%; border-collapse: collapse }
  th, td { max-width: 16rem; padding: 0.5rem 1rem; border-top: var(--line); text-align: start; vertical-align: top }
  caption { padding: 0.5rem 1rem; text-align: start }
  thead th { background: var(--raised) }
  td, thead th { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  tbody th { min-width: min(14rem, 40vw); font-weight: inherit }

  dl, dd { margin: 0 }
  dl div { display: grid; grid-template-columns: minmax(6rem, 16rem) minmax(0, 1fr); gap: 0 1rem }
  main > dl > div { padding: 0.5rem 1rem }
  main > dl > div + div { border-top: var(--line) }
  dd { white-space: pre-wrap }
  dd:has(> dl) { grid-column: 1 / -1; padding-left: 0.75rem; border-left: var(--line) }
  :is(bdi, dl):empty::before { content: 'empty' }

  @media (max-width: 48rem) {
    header, main, body > nav { padding-inline: 1rem }
    dd:has(> dl) { padding-left: 0.25rem }
    body, dl div { grid-template-columns: minmax(0, 1fr) }
    body > nav { padding-bottom: 0 }
    body > nav li { display: inline-block }
  }
`;
