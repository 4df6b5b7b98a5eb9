/** The boxes of all tasks, by the place of the task. */
export const boxesOf = (view: Element): (Element | null)[] =>
  [...view.querySelectorAll('li[data-checked]')].map(({ firstElementChild }) => firstElementChild)

/** Reads a view that has a sign in the place of each box meanwhile. */
export function withTaskSigns(view: HTMLElement, read: (signs: readonly Text[]) => string): string {
  const signs = boxesOf(view).flatMap((box) => {
    if (!(box instanceof HTMLInputElement)) return []
    const sign = document.createTextNode(box.checked ? '☑ ' : '☐ ')
    let place = box.nextElementSibling
    while (place?.firstElementChild?.matches('p, div')) place = place.firstElementChild
    if (place?.matches('p, div')) place.prepend(sign)
    else box.after(sign)
    return [sign]
  })
  try {
    return read(signs)
  } finally {
    for (const sign of signs) sign.remove()
  }
}

/** The text of a view as it reads, with a sign in the place of each box. */
export const visibleText = (view: HTMLElement): string => withTaskSigns(view, () => view.innerText)
