/** The key of a draft in the storage of a tab begins with this. */
export const draftPrefix = 'tenantry.draft '

/** Removes all drafts of this tab, because another person can sign in next. */
export const forgetDrafts = (): void => {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(draftPrefix)) sessionStorage.removeItem(key)
  }
}
