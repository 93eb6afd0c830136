//! The operator's calls about the business.
use crate::business::types::{BusinessRequest, BusinessView, SetupStepView, TaskView};
use crate::business::{setup, tasks, view};
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator};
use crate::state::App;
use actix_web::{post, web};

/// Returns revenue, orders, new accounts, traffic and customers by day or month, compared with the time before.
#[utoipa::path(request_body = BusinessRequest, responses((status = 200, body = Answer<BusinessView>)))]
#[post("/Operator/GetBusiness")]
pub async fn get_business(
    app: web::Data<App>,
    _who: Operator,
    Body(asked): Body<BusinessRequest>,
) -> Answered<BusinessView> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| view::view(conn, asked.range, now)).await?)
}

/// Lists what waits for an operator; nothing that has no count.
#[utoipa::path(responses((status = 200, body = Answer<Vec<TaskView>>)))]
#[post("/Operator/GetTaskList")]
pub async fn get_task_list(app: web::Data<App>, _who: Operator) -> Answered<Vec<TaskView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| tasks::tasks(conn, now)).await?)
}

/// Lists the steps from an empty shop to its first sale, with whether each is done. `second_factor` is the asking operator's.
#[utoipa::path(responses((status = 200, body = Answer<Vec<SetupStepView>>)))]
#[post("/Operator/GetSetupStepList")]
pub async fn get_setup_step_list(app: web::Data<App>, who: Operator) -> Answered<Vec<SetupStepView>> {
    let now = app.clock.now();
    let config = app.config.clone();
    answer(app.db.read(move |conn| setup::steps(conn, &config, who.user_id, now)).await?)
}
