/** Matches the first visible character between elements. */
const VISIBLE =
  /(?:^|>)(?:[\s\u200B\uFEFF]|&nbsp;|&#160;|&#xa0;)*(?!<[a-z!/]|&nbsp;|&#160;|&#xa0;)[^\s\u200B\uFEFF]/i

/** Whether HTML has neither visible text nor a picture. */
export const isBlankHtml = (html: string): boolean => !/<img\b/i.test(html) && !VISIBLE.test(html)
