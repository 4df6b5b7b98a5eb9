/** Milliseconds since 1970 in UTC. An argument wherever time matters, so that tests can set it. */
export type Clock = () => number
