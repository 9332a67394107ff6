// One page at a time plays with a home. A Web Lock says so at once, where the browser has it; what holds whatever happens
// is the epoch that each write is checked against (storage.js). Whether there is one (`HAS_LOCK`) the host says, as everything
// else of the place.
"use strict";

const LOCK = `pbem ${FOLDER}`;
const LEAVING = 2500, GLANCE = 50; // milliseconds for which a browser lets a page go on that one has left; between looks

// Whether another page has the home open, as far as the browser tells: one that is just being left, as by loading it again, is no other.
async function isHeldElsewhere() {
  if (!HAS_LOCK) return false;
  const isHeld = async () => (await navigator.locks.query()).held.some((lock) => lock.name === LOCK);
  for (const last = performance.now() + LEAVING; await isHeld(); await new Promise((resolve) => setTimeout(resolve, GLANCE))) {
    if (performance.now() > last) return true;
  }
  return false;
}

// Hold the lock until this worker ends. False where another has it; with `steal` it is taken away from them. `lost` is
// called when somebody takes it from here.
function holdLock(steal, lost) {
  if (!HAS_LOCK) return Promise.resolve(true);
  return new Promise((resolve) => {
    const options = steal ? { steal: true } : { ifAvailable: true };
    navigator.locks.request(LOCK, options, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => {});
    }).catch(lost);
  });
}
