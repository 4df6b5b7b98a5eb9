/** The `about` of messages on what got no response: one message shows, until a response arrives. */
export const NETWORK = 'network'
