import { deleteAccount } from './accounts/delete-account.ts'
import { eraseStep } from './accounts/erase-account.ts'
import type { AnyCommand } from './db/command.ts'
import { createExportLink, useExportLink } from './exports/links.ts'
import { markUnusedFiles } from './files/purge.ts'
import { deleteReferences, nameForImport } from './files/references.ts'
import { addChunk, beginFile, deleteBrokenOff, finishFile } from './files/store.ts'
import { countOnce, deleteOver, shareCount } from './http/rate-limits/counters.ts'
import { removeImport } from './imports/purge.ts'
import { finishImport, saveBatch } from './imports/save-batch.ts'
import {
  addRows,
  beginImport,
  cancelImport,
  checkWaiting,
  deleteRows,
  failImport,
  finishReading,
  putOffReading,
  renewReading,
  restartReading,
  startImport,
} from './imports/store.ts'
import { fillIdentities, fillTrashIdentities } from './items/fill-identity-keys.ts'
import { forgetKeys } from './items/idempotency.ts'
import { createItem, createItems, deleteItem, updateItem } from './items/store.ts'
import { claimJob, deleteJob, postponeJob, withdrawOldJobs } from './jobs/queue.ts'
import { assignNumbers } from './linkding/numbers.ts'
import { createTag } from './linkding/tags.ts'
import { changeItems, deleteItems } from './operations/bulk.ts'
import { collectItems } from './operations/collect.ts'
import { purgeHistory, trimHistory } from './operations/history.ts'
import { forgetTerms } from './operations/maintenance.ts'
import { mergeItems } from './operations/merge-items.ts'
import { deleteTag, mergeTags } from './operations/merge-tags.ts'
import { forgetFound, forgetTrashed, purgeTrash } from './operations/purge.ts'
import { schedulePurge, scheduleTrim } from './operations/purge-job.ts'
import { resumeAbandoned } from './operations/running.ts'
import { stepOperation } from './operations/steps.ts'
import { restoreItems } from './operations/trash.ts'
import { beginUndo } from './operations/undo.ts'
import { indexerCommands } from './search/indexer.ts'
import { forgetDevices } from './sessions/known-devices.ts'
import { beginSession, endSession, renewSession } from './sessions/sessions.ts'
import { renameTag } from './tags/store.ts'
import { createToken, revokeToken, storeTokenUse } from './tokens/tokens.ts'
import { changePassword, confirmReset, requestReset } from './users/password-changes.ts'
import { issueReset } from './users/reset-mail.ts'
import { registerUser, renameUser } from './users/users.ts'

/** All commands. The writer thread finds commands in this list. */
export const commands: readonly AnyCommand[] = [
  countOnce,
  deleteOver,
  shareCount,
  createItem,
  createItems,
  updateItem,
  deleteItem,
  claimJob,
  withdrawOldJobs,
  deleteJob,
  postponeJob,
  beginSession,
  endSession,
  renewSession,
  forgetDevices,
  forgetKeys,
  deleteAccount,
  eraseStep,
  createExportLink,
  useExportLink,
  deleteTag,
  beginUndo,
  stepOperation,
  resumeAbandoned,
  collectItems,
  changeItems,
  deleteItems,
  mergeTags,
  mergeItems,
  restoreItems,
  forgetTrashed,
  forgetFound,
  purgeTrash,
  purgeHistory,
  trimHistory,
  schedulePurge,
  scheduleTrim,
  forgetTerms,
  renameTag,
  assignNumbers,
  createTag,
  createToken,
  revokeToken,
  storeTokenUse,
  changePassword,
  confirmReset,
  requestReset,
  issueReset,
  registerUser,
  renameUser,
  ...indexerCommands,
  checkWaiting,
  beginImport,
  restartReading,
  addRows,
  renewReading,
  putOffReading,
  finishReading,
  failImport,
  deleteRows,
  startImport,
  cancelImport,
  saveBatch,
  finishImport,
  fillIdentities,
  fillTrashIdentities,
  removeImport,
  beginFile,
  addChunk,
  finishFile,
  deleteBrokenOff,
  markUnusedFiles,
  deleteReferences,
  nameForImport,
]
