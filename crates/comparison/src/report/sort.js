// Sorts a table by the column whose name is clicked: numbers by data-value, the rest as text; cells without a value stay last.
for (const table of document.querySelectorAll('[data-sortable]')) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const order = (a, b) => {
    const [x, y] = [a, b].map(cell => cell.dataset.value);
    return x !== undefined && y !== undefined ? x - y : a.textContent.localeCompare(b.textContent);
  };
  const isEmpty = cell => ['', '–'].includes(cell.textContent.trim());
  const sort = (head, column) => {
    const direction = head.ariaSort === 'ascending' ? -1 : 1;
    heads.forEach(other => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
    const rows = [...body.rows].sort((first, second) => {
      const [a, b] = [first, second].map(row => row.cells[column]);
      return isEmpty(a) - isEmpty(b) || direction * order(a, b);
    });
    body.append(...rows);
  };
  heads.forEach((head, column) => {
    head.tabIndex = 0;
    head.addEventListener('click', () => sort(head, column));
    head.addEventListener('keydown', event => event.key === 'Enter' && sort(head, column));
  });
  table.classList.add('sortable');
}
