// Saves a file through the browser's download.
export function saveFile(file: File): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read the object URL shortly after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
