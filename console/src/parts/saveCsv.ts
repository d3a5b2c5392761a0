const BYTE_ORDER_MARK = '\uFEFF';

/** Saves a CSV text as a file of the person's computer. By the byte order mark, spreadsheets recognize its encoding. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
