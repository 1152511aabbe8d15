// Conveniences by script. Without it, a click selects a whole command, and a button changes the tenant.

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button));
}

for (const choice of document.querySelectorAll<HTMLSelectElement>("select[data-submits]")) {
  choice.addEventListener("change", () => choice.form?.requestSubmit());
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
  const notice = button.nextElementSibling;
  if (notice !== null) notice.textContent = "Copied";
}
