const DAY_SECONDS = 24 * 3600

/** The tables and columns of Better Auth's objects, and how long a session lasts. */
export const models = {
  user: {
    modelName: 'users',
    additionalFields: {
      role: { type: 'string', input: false, required: false },
      isWelcomed: { type: 'boolean', input: false, required: false },
      language: { type: 'string', input: false, required: false },
      inviteId: { type: 'string', input: false, required: false, returned: false },
      isFounder: { type: 'boolean', input: false, required: false, returned: false },
      usernameLook: { type: 'string', input: false, required: false, returned: false },
      nameLook: { type: 'string', input: false, required: false, returned: false },
      isNamesake: { type: 'boolean', input: false, required: false, returned: false },
      color: { type: 'number', input: false, required: false },
    },
  },
  session: {
    modelName: 'sessions',
    expiresIn: 30 * DAY_SECONDS,
    updateAge: DAY_SECONDS,
    additionalFields: {
      providerToken: { type: 'string', input: false, required: false, returned: false },
      providerSid: { type: 'string', input: false, required: false, returned: false },
      signedInBy: { type: 'string', input: false, required: false, returned: false },
    },
  },
  account: {
    modelName: 'accounts',
    updateAccountOnSignIn: false,
    // Most addresses are not verified, so the provider's verification counts; `disown` makes that safe.
    accountLinking: { requireLocalEmailVerified: false },
  },
  verification: { modelName: 'verifications' },
} as const
