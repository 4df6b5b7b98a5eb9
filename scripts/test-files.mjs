/** Whether the file is a test: it lies beside the code it tests. @param {string} path */
export const isTest = (path) => /\.test\.tsx?$/.test(path)
