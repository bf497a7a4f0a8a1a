/** Why an operation has no tool. A test compares both tables with all routes. */

const listed = (text: string): string[] => text.trim().split(/\s+/)

/** The operations without a tool, by the reason. */
export const reasons: Readonly<Record<string, string[]>> = {
  'is about the own account': listed(`
    changePassword removePassword verifyEmail sendVerification changeEmail listOwnSessions endOtherSessions endOwnSession
    logout listMemberships switchTenant leaveTenant deleteAccount createOrganization listFactors addTotp confirmTotp
    beginPasskey addPasskey removeFactor renewRecoveryCodes listIdentities addIdentity removeIdentity getProfile
    updateProfile getOwnAttributes patchOwnAttributes listOwnGrants revokeOwnGrant getOwnSetting putOwnSetting
    deleteOwnSetting getNotification deleteNotification listNotifications markNotificationRead markAllNotificationsRead
    getUnreadCount exportAccount`),
  'takes or gives a secret or a link': listed(`
    createUser importUsers sendPasswordReset expirePassword createKey createServiceAccount createApplicationSecret
    rotateWebhookSecret readSecretSettings createConnection updateConnection testConnection createProvider updateProvider
    testProvider createSetupLink createSetupDirectory createApplication createWebhook`),
  'leaves access behind, or weakens a sign-in': listed(`
    updateServiceAccount deleteServiceAccount deleteKey updateWebhook deleteWebhook testWebhook resendDelivery
    previewReplay replayWebhook updateApplication deleteApplication deleteApplicationSecret createResource updateResource
    deleteResource revokeGrant createDomain verifyDomain deleteDomain deleteConnection putExemption unlinkUser
    revokeSetupLink deleteProvider resetUserFactors resetUserFactor`),
  'concerns support, elevation, approvals or reviews': listed(`
    makeEligible endEligibility listElevations startElevation endElevation listSupportSessions requestSupport
    getSupportSession endSupport decideSupport issueSupportToken openProduct listApprovalPolicies putApprovalPolicy
    deleteApprovalPolicy listApprovals askApproval getApproval cancelApproval decideApproval listReviews openReview
    getReview listReviewItems closeReview decideReview exportReview`),
  'creates or deletes a whole organization': listed('createTenant deleteTenant'),
  'sets what holds in all organizations': listed(`
    putGlobalSetting deleteGlobalSetting lockSetting unlockSetting listGlobalSettingVersions revertGlobalSetting`),
  'is declared by the code of the product': listed(`
    createPermission updatePermission deletePermission createRoleTemplate updateRoleTemplate deleteRoleTemplate
    putSettingDefinition deleteSettingDefinition putAttribute deleteAttribute`),
  'exports or streams': listed('exportAuditLogs exportUser streamEvents'),
  'is a question of a program': listed('checkPermissions getHeldPermissions previewChanges ping getPortal'),
  'sends a text to people': listed('createNotification listSent createBroadcast sendBatch'),
  'shows how people sign in, which the console explains': listed(`
    listApplications getApplication listResources listDirectoryGroups listDomains getConnection listExemptions
    getRequirementEffect listSetupLinks listProviders getProvider`),
}
